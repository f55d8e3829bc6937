#!/usr/bin/env python3
"""`annotate` against the views of the original tools.

callgrind_annotate: self cost of each line of a program, and the calls made from it, for two sets of events. nytprofcsv: statements and time of each
line of real profiles (without string evals: nytprofcsv adds their time to the line that has them). Missing tools and missing shared data are skipped.
"""
import csv
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
        check_nytprof(tally, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
