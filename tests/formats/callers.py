#!/usr/bin/env python3
"""`callers` against the original tools: every call of every function.

callgrind_annotate --tree=both: calls and inclusive cost of each pair of functions, above and below. hpcdb: who calls the first function, by all its
instances. NYTProf: the callers of each sub by file and line, as its own loader tells them. webgrind: the records of calls as stored. Cycles: self, total
and calls of each, found by another program; where a file has a call tree, there are none to take together. Missing tools and missing shared data are skipped.
"""
import gzip
import json
import re
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, read_bytes, run, said  # noqa: E402


def callers(path, function, *options):
    result = assay("callers", "--json", "--limit", "0", *options, "--", function, path)
    return json.loads(result.stdout.decode("utf-8", "surrogatepass")) if result.returncode == 0 else {"failed": said(result), "rows": []}


# ---- callgrind_annotate ----

def annotated(path):
    """{(function, sign, other): [calls, costs]} of callgrind_annotate, and the events. None = it does not take the file.

    It tells functions apart by name and by the file that their code is from, so inlined code is another function. Here they are known by name only."""
    result = run("callgrind_annotate", "--tree=both", "--threshold=100", "--show-percs=no", "--auto=no", path)
    text = result.stdout.decode("utf-8", "surrogateescape").replace("\r", "")
    if result.returncode != 0 or "Events shown:" not in text:
        return None
    events = re.search(r"^Events shown:\s+(.*)$", text, re.M).group(1).split()
    row = re.compile(r"^\s*((?:-?[\d,]+|\.)(?:\s+(?:-?[\d,]+|\.)){%d})\s+([<*>])\s+(.*)$" % (len(events) - 1))
    blocks, found = [[]], {}
    for line in text.split("file:function", 1)[-1].split("\n")[2:]:
        fields = row.match(line)
        if fields:
            costs = [0 if c == "." else int(c.replace(",", "")) for c in fields.group(1).split()]
            blocks[-1].append((fields.group(2), fields.group(3), costs))
        elif not line:
            blocks.append([])
    for block in blocks:
        about = next((bare(name) for sign, name, _ in block if sign == "*"), None)
        for sign, name, costs in block:
            call = re.match(r"(.*) \((-?[\d,]+)x\)(?: \[.*\])?$", name)
            if sign != "*" and call:
                add(found, (about, sign, bare(call.group(1))), int(call.group(2).replace(",", "")), costs)
    return found, events


def bare(name):
    """The function of "file:function [object]"; a file may hold colons, and so may a function: what is left stands behind the first single one."""
    return re.split(r"(?<!:):(?!:)", re.sub(r" \[[^\]]*\]$", "", name), maxsplit=1)[-1]


def add(found, key, calls, costs):
    at = found.setdefault(key, [0, [0] * len(costs)])
    at[0] += calls
    at[1] = [a + b for a, b in zip(at[1], costs)]


def ours(path, events):
    """The same from the JSON."""
    found = {}
    for row in callers(path, "")["rows"]:
        for sign, side in (("<", "callers"), (">", "callees")):
            for other in row[side]:
                add(found, (row["name"], sign, other["name"]), other["calls"], [other["total"].get(e, 0) for e in events])
    return found


def check_annotate(tally):
    if not shutil.which("callgrind_annotate"):
        tally.skip("callgrind_annotate", "valgrind is not installed")
        return
    files = sorted(FIXTURES.glob("*.callgrind"))
    if has_shared():
        folder = SHARED / "data" / "callgrind"
        expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        files += [folder / n for n, want in expected.items() if want["ok"] and "callgrind" in n and (folder / n).exists()]
    with tempfile.TemporaryDirectory() as tmp:
        for path in files:
            plain = Path(tmp) / path.name.removesuffix(".gz")
            plain.write_bytes(read_bytes(path))
            compare_annotate(tally, plain)


def mirror(key):
    return key[2], "<>"[key[1] == "<"], key[0]


def compare_annotate(tally, path):
    theirs = annotated(path)
    if not theirs:
        tally.skip(path.name, "callgrind_annotate does not take it")
        return
    want, events = theirs
    got = ours(path, events)
    if re.search(rb"^calls=0 ", path.read_bytes(), re.M):  # a call that went on when it was dumped: callgrind_annotate adds its cost to the caller's own
        want, got = ({k: v[0] for k, v in side.items() if v[0]} for side in (want, got))
    else:  # it leaves out calls that have none of the first event, and functions that have none themselves
        got = {k: v for k, v in got.items() if k in want or (v[1][0] and want.get(mirror(k)) != v)}
    differ = {k: (got.get(k), want.get(k)) for k in got.keys() | want.keys() if got.get(k) != want.get(k)}
    tally.check(not differ, f"{path.name}: {len(want)} calls as callgrind_annotate has them", *list(differ.items())[:10])


# ---- HPCToolkit's databases ----

def check_databases(tally):
    folder = SHARED / "data" / "hpcdb"
    for name, want in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
        facts = want.get("facts", {}).get("callers_of_top")
        if not want.get("ok") or not facts:
            continue
        with tempfile.TemporaryDirectory() as tmp:
            for archive in sorted(folder.glob(name)):
                with tarfile.open(archive) as t:
                    t.extractall(tmp)
            compare_database(tally, name, next(Path(tmp).iterdir()), want, facts)


def compare_database(tally, label, path, want, facts):
    top = want["top"][0]
    metric = next(iter(top["total"]))
    for depth in ("1", "2"):
        answer = callers(path, re.sub(r"(\W)", r"\\\1", top["name"]) if depth == "2" else top["name"], "--callers", "--depth", depth)
        rows = [r for r in answer["rows"] if all(r[k] == top[k] for k in ("name", "module", "file", "line") if k in top)]
        if not tally.check(len(rows) == 1, f"{label}: one function {top['name']}", answer.get("failed"), [r["name"] for r in answer["rows"]]):
            return
        found = {}
        for row in (r for r in rows[0]["callers"] if r["depth"] == 1):
            at = found.setdefault(row["name"], [0, 0])
            at[0] += row["total"][metric] + row["recursive"][metric]
            at[1] += row["contexts"]
        for name, value, count in facts:
            got = found.get(name) or found.get(name[1:-1]) or [None, None]  # the facts put < > around the names of entries
            near = got[0] is not None and abs(got[0] - value) <= 1e-9 * max(abs(value), 1)
            tally.check(near and got[1] == count, f"{label}: {name} calls {top['name']} (depth {depth})", got, (value, count))
        tally.check(len(facts) == 10 or len(found) == len(facts), f"{label}: no other callers", sorted(found))


# ---- NYTProf ----

def check_nytprof(tally):
    folder = SHARED / "data" / "nytprof" / "real"
    detail = json.loads(gzip.decompress((folder / "detail.json.gz").read_bytes()))
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    for name, facts in detail.items():
        path = folder / name
        if path.exists() and expected.get(name, {}).get("ok") and facts.get("subs"):
            compare_nytprof(tally, name, path, facts)


def compare_nytprof(tally, label, path, facts):
    """Calls, inclusive and recursive time of each (sub, file, line). Two fids may have one name, so sites are added."""
    files = {f["fid"]: f["name"] for f in facts["files"]}
    got, want = {}, {}

    def book(table, key, *figures):
        table[key] = [a + b for a, b in zip(table.get(key, [0] * len(figures)), figures)]

    for row in callers(path, "", "--by-site", "--callers")["rows"]:
        for c in row["callers"]:
            book(got, (readable(row["name"]), c["site"]["file"], c["site"]["line"]), c["calls"], *c["total"].values(), *c["recursive"].values())
    for sub in facts["subs"]:
        for c in sub["callers"]:
            book(want, (sub["name"], files.get(c["fid"]), c["line"] or None), c["calls"], c["incl"], c["reci"])
    differ = {k: (got.get(k), want.get(k)) for k in got.keys() | want.keys() if not near(got.get(k), want.get(k))}
    tally.check(not differ, f"{label}: {len(want)} callers as Devel::NYTProf has them", *list(differ.items())[:10])


def readable(name):
    """Perl names that are no UTF-8 are Latin-1."""
    data = name.encode("utf-8", "surrogateescape")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def near(got, want):
    return bool(got and want) and all(abs(a - b) <= 1e-9 * max(abs(b), 1e-3) for a, b in zip(got, want))


# ---- webgrind ----

def check_webgrind(tally):
    folder = SHARED / "data" / "webgrind"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    for name, want in expected.items():
        path = folder / name
        if want["ok"] and path.exists():
            compare_webgrind(tally, name, path, want)


# Lines over 65535: the preprocessor mixed callers up that its sub call records keep apart (../shared/data/webgrind/README.md).
COLLIDED = {("longlines.xdebug.v7cpp", "called_from")}


def compare_webgrind(tally, label, path, want):
    """The records of calls: [function number, line, calls, cost]. `top` names the functions that the numbers stand for; the first four records are told."""
    names = {t["number"]: (t["name"], t["file"]) for t in want["top"]}
    rows = {(r["name"], r["file"]): r for r in callers(path, "", "--by-site")["rows"]}
    for about in want["top"]:
        row = rows.get((about["name"], about["file"]), {"callers": [], "callees": []})
        for key, side in (("called_from", "callers"), ("sub_calls", "callees")):
            for number, line, calls, cost in about.get(key, []):
                if number not in names or (label, key) in COLLIDED:
                    continue
                got = [[r["calls"], *r["total"].values()] for r in row[side] if (r["name"], r["file"]) == names[number] and (r["site"]["line"] or 0) == line]
                tally.equal(got, [[calls, cost]], f"{label}: {about['name']} {key} {names[number][0]}:{line}")


# ---- cycles ----

def check_cycles(tally):
    for area in ("callgrind", "webgrind"):
        folder = SHARED / "data" / area
        for name, want in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
            facts = want.get("facts", {})
            if want["ok"] and "cycles" in facts and "tree" not in facts and (folder / name).exists():
                compare_cycles(tally, name, folder / name, facts)


def compare_cycles(tally, label, path, facts):
    answer = callers(path, r"^<cycle \d+>$", "--cycles")
    rows = sorted(answer["rows"], key=lambda r: list(r["total"].values())[0], reverse=True)
    tally.equal(len(rows), facts["cycles"], f"{label}: number of cycles")
    for i, want in enumerate(facts.get("cycle_costs", [])):
        got = {k: rows[i][k] for k in ("calls", "members", "self", "total")} if i < len(rows) else answer.get("failed")
        tally.equal(got, want, f"{label}: cycle {i + 1}")


def main():
    tally = Tally()
    check_annotate(tally)
    if has_shared():
        check_databases(tally)
        check_nytprof(tally)
        check_webgrind(tally)
        check_cycles(tally)
    else:
        tally.skip("shared samples", f"no shared data in {SHARED}")
    tally.finish()


if __name__ == "__main__":
    main()
