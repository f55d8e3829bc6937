#!/usr/bin/env python3
"""`annotate` against the views of the original tools.

callgrind_annotate: self cost of each line of a program, and the calls made from it, for two sets of events; of real profiles every line of every
source, self cost and each callee. nytprofcsv: statements and time of each line of real profiles (without string evals: nytprofcsv adds their time to
the line that has them). nytprofhtml: the same, and the calls of each line: how many, their time, and each callee. docs/annotate.md says where the tools
differ. Missing tools and missing shared data are skipped.
"""
import csv
import html
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared, run  # noqa: E402

C_SOURCE = """\
#include <stdlib.h>
static int leaf(int a)
{
    int s = 0;
    for (int i = 0; i < a; i++) s += i * a;
    return s;
}
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int work(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += leaf(i);
    return t;
}
int main(void)
{
    int x = work(20) + leaf(3) + fib(7);
    return x == 42;
}
"""
REAL = {"sortsum.callgrind": "c1", "shapes.callgrind": "c2", "branchy-sim.callgrind": "c5"}  # folder of /tmp/demo that its sources were in
HTML = ("nomod-z6", "oo-z6", "recur-z6", "pod2text-z6")
PROFILES = ("closures-raw", "enable-raw", "exc-raw", "oo-z6", "recur-z6", "slowops-2")


def annotated(path, *options):
    """{(file, line): row} of the JSON."""
    result = assay("annotate", "--json", "--limit", "0", *options, path)
    if result.returncode != 0:
        return {"failed": result.stderr.decode()}
    return {(s["file"], r["line"]): r for s in json.loads(result.stdout)["sources"] for r in s["lines"]}


def callgrind_lines(text, event_count):
    """(line, costs, calls cost) of the first source view: '.' is 0; lines with '=>' are calls of the line before."""
    view = text.split("-- Auto-annotated source: ")[1].split("-" * 80)[1].split("\n")
    number, found = 0, {}
    for line in view:
        fields = re.match(r"^\s*((?:[\d,]+|\.)(?:\s+(?:[\d,]+|\.)){%d}) (.*)$" % (event_count - 1), line)
        if not fields:
            continue
        costs = [int(f.replace(",", "")) if f != "." else 0 for f in fields.group(1).split()]
        if fields.group(2).lstrip().startswith("=>"):
            found[number][1] = [a + b for a, b in zip(found[number][1], costs)]
        else:
            number += 1
            found[number] = [costs, [0] * event_count]
    return found


def check_callgrind(tally, work):
    if not all(shutil.which(t) for t in ("valgrind", "callgrind_annotate", "gcc")):
        tally.skip("callgrind_annotate", "valgrind or gcc is not installed")
        return
    (work / "p.c").write_text(C_SOURCE)
    run("gcc", "-g", "-O0", "-o", "p", "p.c", cwd=work)
    for label, options in (("instructions", []), ("caches", ["--cache-sim=yes"])):
        run("valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=out", *options, "./p", cwd=work)
        view = run("callgrind_annotate", "--auto=yes", "--show-percs=no", "out", cwd=work, stderr=subprocess.DEVNULL, stdout=subprocess.PIPE, capture_output=False)
        events = next(line[7:].split() for line in (work / "out").read_text().split("\n") if line.startswith("events:"))
        want = callgrind_lines(view.stdout.decode(), len(events))
        rows = annotated(work / "out", "--file", "p.c")
        got = {line: [[r["self"][e] for e in events] if "self" in r else [0] * len(events),
                      [r["total"][e] - r["self"][e] for e in events] if "self" in r else [0] * len(events)] for (_, line), r in rows.items()}
        tally.check(len(want) == C_SOURCE.count("\n") and any(sum(c[1]) for c in want.values()), f"{label}: callgrind_annotate shows the program")
        tally.equal({n: c for n, c in got.items()}, {n: [c[0], c[1]] for n, c in want.items()}, f"{label}: self cost and calls of each line")


def callers_of_lines(path):
    """{(file, line): functions that call from it}."""
    names, found, now, line, column, is_call = {}, {}, {}, 0, 0, False

    def name(kind, text):
        short = re.match(r"(\(\d+\))(?: (.*))?$", text)
        if short and short[2] is not None:
            names[kind, short[1]] = short[2]
        return names[kind, short[1]] if short else text
    for text in path.read_text().split("\n"):
        key, _, value = text.partition("=")
        if text.startswith("positions:"):
            column = text.split()[1:].index("line")
        elif key in ("fl", "fi", "fe", "cfi", "cfl", "fn", "cfn"):
            now["f" if key[0] == "f" and key != "fn" else key] = name("fn" if key.endswith("fn") else "fl", value)
        elif key == "calls":
            is_call = True
        elif re.match(r"[\d+*-]", text):
            position = text.split()[column]
            line = line + int(position) if position[0] in "+-" else line if position == "*" else int(position)
            if is_call:
                found.setdefault((now["f"], line), set()).add(now["fn"])
            is_call = False
    return found


def callgrind_views(text, count):
    """{path: {line: (costs, {callee: (calls, costs)})}} of all sources that were annotated; line 0 = what is of no line."""
    row = re.compile(r"^\s*((?:[\d,]+|\.)(?:\s+(?:[\d,]+|\.)){%d})  (.*)$" % (count - 1))
    views = {}
    for part in text.split("-- Auto-annotated source: ")[1:]:
        path = part.split("\n")[0].split(" + ")[-1]
        body, number = re.split(r"^-{80}$", part, flags=re.M)[1], 0
        for line in body.split("\n"):
            fields = row.match(line)
            if not fields:
                continue
            costs = [int(f.replace(",", "")) if f != "." else 0 for f in fields[1].split()]
            call = re.match(r"=> (.*?) \((\d+)x\)(?: \[.*\])?$", fields[2])
            if "<counts for unidentified lines" in fields[2]:
                views[path][0] = (costs, {})
            elif call:
                callees = views[path][number][1]
                callees[call[1].split(":", 1)[1]] = (int(call[2]), costs)
            else:
                number += 1
                views.setdefault(path, {})[number] = (costs, {})
    return views


def check_real_callgrind(tally, work):
    if not shutil.which("callgrind_annotate") or not has_shared():
        tally.skip("callgrind_annotate of real profiles", "it is not installed, or there is no shared data")
        return
    data = SHARED / "data" / "callgrind"
    for name, folder in REAL.items():
        shutil.copytree(data / "src", work / "root" / "tmp" / "demo" / folder)
        view = run("callgrind_annotate", "--auto=yes", "--show-percs=no", "--threshold=100", "--context=1000000", f"-I={work / 'root'}", data / name)
        events = next(line[7:].split() for line in (data / name).read_text().split("\n") if line.startswith("events:"))
        views = callgrind_views(view.stdout.decode("utf-8", "replace"), len(events))
        callers = callers_of_lines(data / name)
        ours, compared, shared, wrong = annotated(data / name, "--source-root", work / "root"), 0, 0, []
        for path, lines in views.items():
            for number, (costs, callees) in lines.items():
                row = ours.get((path, number), {})
                got = {c["name"]: (c["calls"], [c["total"][e] for e in events]) for c in row.get("callees", [])}
                compared += 1
                if [row.get("self", {}).get(e, 0) for e in events] != costs:
                    wrong.append((path, number, costs, row.get("self")))
                if len(callers.get((path, number), ())) > 1:
                    shared += 1  # the tool shows the calls of one of these functions only
                    if any(n not in got or got[n][0] < c[0] for n, c in callees.items()):
                        wrong.append((path, number, callees, got))
                elif {n: c for n, c in got.items() if number} != callees:
                    wrong.append((path, number, callees, got))
        own = [p for p in views if "/tmp/demo" in p]
        tally.check(own and compared > 10 and shared < compared / 10, f"{name}: {compared} lines of {len(views)} sources", own, shared)
        tally.equal(wrong[:5], [], f"{name}: self cost and callees of each line")


# ---- nytprof ----

UNITS = {"s": 1.0, "ms": 1e-3, "\u00b5s": 1e-6, "ns": 1e-9}
HTML_ROW = re.compile(r'<tr><td class="h"><a name="(\d+)"></a>\d+</td><td[^>]*>([^<]*)</td><td[^>]*>(.*?)</td><td[^>]*>([^<]*)</td><td[^>]*>(.*?)</td>'
                      r'<td class="s">(.*?)</td></tr>', re.S)
HTML_CALL = re.compile(r"# spent +(\S+) making +(\d+) calls? to (?:<a[^>]*>)?(.*?)(?:</a>)?(?:, avg [^,\n<]*)?(?:, recursion: [^\n<]*)?(?=\n|<)")


def plain(text):
    return html.unescape(re.sub(r"<[^>]*>", "", text)).strip()


def matches(text, seconds):
    """Whether a time, rounded to the digits that the report shows, is this one; nothing is 0."""
    shown = re.fullmatch(r"(-?\d+(?:\.(\d+))?)(s|ms|\u00b5s|ns)", text.strip() or "0s")
    half = 0.5 * 10 ** -len(shown[2] or "")
    return (float(shown[1]) - half) * UNITS[shown[3]] - 1e-12 <= seconds <= (float(shown[1]) + half) * UNITS[shown[3]] + 1e-12


def html_lines(folder):
    """(file, line): statements, time, calls, their time, [(callee, calls, time)] of all pages but those of string evals."""
    for page in folder.glob("*-line.html"):
        text = page.read_text(encoding="utf-8", errors="replace")
        name = plain(re.search(r"Filename</td><td[^>]*>(.*?)</td>", text, re.S)[1])
        for row in HTML_ROW.finditer(text) if not name.startswith("(eval") else ():
            callees = [(plain(c[3]), int(c[2]), c[1]) for part in re.findall(r'<div class="calls_out">(.*?)</div></div>', row[6], re.S) for c in HTML_CALL.finditer(part)]
            yield (name, int(row[1])), int(row[2] or 0), plain(row[3]), int(row[4] or 0), plain(row[5]), callees


def line_differs(row, ticks, statements, time, calls, calls_time, callees):
    """What of a row is not as the report says. Where all statements were discounted the report says 1."""
    hits = row.get("hits", 0) or (1 if time else 0)
    yield from ["statements"] if hits != statements else []
    yield from ["time"] if not matches(time, row.get("self", {}).get("stmt_ticks", 0) / ticks) else []
    yield from ["calls"] if row.get("calls", 0) != calls else []
    yield from ["time of calls"] if not matches(calls_time, row.get("in_calls", {}).get("sub_time", 0)) else []
    # Names of anonymous subs have a path, from which the report takes the folder of the library.
    ours = sorted((re.sub(r"\[.*/", "[", c["name"]), c["calls"], c["total"]["sub_time"] + c["recursive"]["sub_time"]) for c in row.get("callees", []))
    theirs = sorted((re.sub(r"\[.*/", "[", n), c, t) for n, c, t in callees)
    same = len(ours) == len(theirs) and all(a[:2] == b[:2] and matches(b[2], a[2]) for a, b in zip(ours, theirs))
    yield from [] if same else [f"callees {ours} {theirs}"]


def check_nytprofhtml(tally, work):
    if not shutil.which("nytprofhtml") or not has_shared():
        tally.skip("nytprofhtml", "it is not installed, or there is no shared data")
        return
    for name in HTML:
        path = SHARED / "data" / "nytprof" / "real" / f"{name}.nytprof"
        run("nytprofhtml", "--no-flame", "-f", path, "-o", work / f"html-{name}")
        ticks = float(json.loads(assay("info", "--json", path).stdout)["files"][0]["attributes"]["ticks_per_sec"])
        ours, compared, wrong, seen = annotated(path), 0, [], set()
        for key, *figures in html_lines(work / f"html-{name}"):
            seen.add(key)
            compared += 1
            wrong += [(key, w, figures) for w in line_differs(ours.get(key, {}), ticks, *figures)]
        # Of a file whose source it cannot read the report leaves out the last line.
        last = {}
        for file, line in ours:
            last[file] = max(last.get(file, 0), line)
        missing = [k for k, r in ours.items() if k not in seen and (r.get("hits") or r.get("calls")) and not k[0].startswith("(eval") and ("text" in r or k[1] != last[k[0]])]
        tally.check(compared > 10 and sum(1 for _, r in ours.items() if r.get("calls")) > 3, f"{name}: {compared} lines of the report")
        tally.equal(wrong[:5], [], f"{name}: statements, time, calls, their time and callees of each line")
        tally.equal(missing, [], f"{name}: no line that the report does not have")


def lines_of_csv(path):
    """Lines with statements, as nytprofcsv lists them: of a file whose source it cannot read it leaves out the last line."""
    result = json.loads(assay("annotate", "--json", "--limit", "0", path).stdout)
    for source in result["sources"]:
        lines = [r for r in source["lines"] if r.get("hits")]
        yield from lines if source["source"] else lines[:-1]


def check_nytprof(tally, work):
    if not shutil.which("nytprofcsv") or not has_shared():
        tally.skip("nytprofcsv", "it is not installed, or there is no shared data")
        return
    for name in PROFILES:
        path = SHARED / "data" / "nytprof" / "real" / f"{name}.nytprof"
        if not path.exists():
            tally.skip(name, "no such profile")
            continue
        run("nytprofcsv", "-f", path, "-o", work / name)
        want = sorted((int(r[1]), float(r[0])) for f in (work / name).glob("*-line.csv") for r in
                      csv.reader(io.StringIO("".join(line for line in f.read_text(encoding="utf-8", errors="replace").splitlines(True) if not line.startswith("#"))))
                      if len(r) > 2 and re.fullmatch(r"[\d.]+", r[0]) and int(r[1]))
        attributes = json.loads(assay("info", "--json", path).stdout)["files"][0]["attributes"]
        ticks = float(attributes["ticks_per_sec"])
        got = sorted((r["hits"], r["self"]["stmt_ticks"] / ticks) for r in lines_of_csv(path))
        same = len(got) == len(want) and all(h == k and abs(a - b) < 1.5e-6 for (h, a), (k, b) in zip(got, want))
        tally.check(same and len(want) > 5, f"{name}: statements and time of {len(want)} lines", len(got), got[:12], want[:12])


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="assay-annotate-") as folder:
        check_callgrind(tally, Path(folder))
        check_real_callgrind(tally, Path(folder))
        check_nytprof(tally, Path(folder))
        check_nytprofhtml(tally, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
