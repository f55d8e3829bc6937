#!/usr/bin/env python3
"""Lines of V8's coverage with the sources at hand.

Facts of the shared data: the counts of each line; and c8's own report of the same runs: lines, functions and branches, but for what its ignore
comments leave out. Two runs merged have the same lines and functions hit. With node on this machine, a program of ours runs whose text is
not ASCII: what it must have run is written in it.
"""
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared, run, said  # noqa: E402

PROGRAM = """\
'use strict'; // 1 \u20ac \U0001f600\r
function grüße(n) { // 3\r
  return '\U0001f600'.repeat(n); // 3\r
}\r
function never() {\r
  grüße(9); // 0\r
\r
  return 1; // 0\r
}\r
for (let i = 0; i < 3; i++) { // 1\r
  grüße(i); // 3\r
  if (i > 7) {\r
    never(); // 0\r
  } else { // 3
    i += 0; // 3
  }
}
"""


def rows(text, kind):
    """Rows of a tracefile by the name of their file."""
    out, name = {}, ""
    for line in text.decode().splitlines():
        if line.startswith("SF:"):
            name = os.path.basename(line[3:])
        if line.startswith(kind + ":"):
            out.setdefault(name, []).append(line[len(kind) + 1:].split(","))
    return out


def lines(text):
    return {name: {int(n): int(count) for n, count in found} for name, found in rows(text, "DA").items()}


def ignored(source):
    """Lines that c8's comments leave out: from start to stop, and that of stop itself."""
    out, is_on = set(), False
    for i, line in enumerate(source.read_text(encoding="utf-8").split("\n"), 1):
        is_on = is_on or "c8 ignore start" in line
        if is_on or "c8 ignore" in line:
            out.add(i)
        is_on = is_on and "c8 ignore stop" not in line
    return out


def c8_figures(path, skip):
    """(lines, functions by name, branches by place) of c8's JSON, but for lines to skip."""
    got = {}
    for name, file in json.loads(path.read_text(encoding="utf-8")).items():
        name = os.path.basename(name)
        gone = skip.get(name, set())
        statements = {v["start"]["line"]: file["s"][k] for k, v in file["statementMap"].items()}
        functions = {(v["name"], v["loc"]["start"]["line"]): file["f"][k] for k, v in file["fnMap"].items()}
        branches = sorted((v["loc"]["start"]["line"], v["loc"]["end"]["line"], v["loc"]["end"]["column"], file["b"][k][0]) for k, v in file["branchMap"].items())
        got[name] = ({n: c for n, c in statements.items() if n not in gone}, {k: c for k, c in functions.items() if k[1] not in gone},
                     [b for b in branches if b[0] not in gone])
    return got


def our_figures(path, skip):
    document, got = json.loads(path.read_text(encoding="utf-8")), {}
    for number, file in enumerate(document["files"], 1):
        name = os.path.basename(file["path"])
        gone = skip.get(name, set())
        functions = {(f["name"], f["line"]): sum(c.get("calls", 0) for c in f["called"]) for f in document["functions"] if f["file"] == number}
        branches = sorted((b["line"], b["end_line"], b["end_column"] - 1, b.get("hits", 0)) for b in file.get("branches", []))
        got[name] = ({row["line"]: row.get("hits", 0) for row in file.get("lines", []) if row["line"] not in gone},
                     {k: c for k, c in functions.items() if k[1] not in gone}, [b for b in branches if b[0] not in gone])
    return got


def hit_or_not(figures):
    """Of lines and functions; c8's file has each run twice, and its branches are those of ranges that it splits anew."""
    return {name: [{k: c > 0 for k, c in part.items()} for part in parts[:2]] for name, parts in figures.items()}


def check_facts(tally, work):
    data = SHARED / "data" / "coverage"
    with tarfile.open(data / "sources" / "cart.tar.gz") as archive:
        archive.extractall(work)
    sources = work / "cart"
    skip = {p.name: ignored(p) for p in sources.glob("*.js")}
    for name, want in json.loads((data / "v8" / "expected.json").read_text(encoding="utf-8")).items():
        result = assay("convert", data / "v8" / name, "--to", "lcov", "--source-root", sources)
        facts = {file: {int(n): c for n, c in counts.items()} for file, counts in want["facts"]["lines_with_source"].items()}
        tally.equal(lines(result.stdout), facts, f"{name}: lines with the sources")
        c8 = data / "merge" / name.replace(".v8.json.gz", ".c8.coverage-final.json")
        mine = work / "mine.json"
        result = assay("convert", data / "v8" / name, "--to", "assay-json", "--source-root", sources, "-o", mine)
        if tally.check(result.returncode == 0, f"{name}: is written", said(result)):
            tally.equal(our_figures(mine, skip), c8_figures(c8, skip), f"{name}: lines, functions and branches of c8")
    merged = work / "merged.json"
    result = assay("merge", *sorted((data / "v8").glob("*.gz")), "--source-root", sources, "--to", "assay-json", "-o", merged)
    if tally.check(result.returncode == 0, "two runs are merged", said(result)):
        got, want = our_figures(merged, skip), c8_figures(data / "merge" / "cart-merged.c8.coverage-final.json", skip)
        tally.equal(hit_or_not(got), hit_or_not(want), "two runs: lines and functions that c8 has as hit")


def check_node(tally, work):
    if not shutil.which("node"):
        tally.skip("node", "node is not installed")
        return
    (work / "grüße.js").write_bytes(PROGRAM.encode())
    result = run("node", "grüße.js", cwd=work, env={**os.environ, "NODE_V8_COVERAGE": str(work / "v8")})
    if not tally.check(result.returncode == 0, "the program runs", said(result)):
        return
    report = next((work / "v8").glob("*.json"))
    want = {i: int(m[1]) for i, line in enumerate(PROGRAM.split("\n"), 1) if (m := re.search(r"// (\d+)", line))}
    tally.equal(len(want), 10, "lines whose counts are known")
    for options in (("--source-root", work), ("--source-root", "/"), ("--exclusions",)):
        got = lines(assay("convert", report, "--to", "lcov", *options).stdout).get("grüße.js", {})
        tally.equal({n: got.get(n) for n in want}, want, f"counts of lines, {options}")
    annotated = assay("annotate", report).stdout.decode()
    tally.check("!    0           6    grüße(9); // 0" in annotated, "sources are found where they were", annotated)
    (work / "grüße.js").write_text("// changed\n")
    result = assay("info", "--json", "--source-root", work, report)
    warnings = [w["rule"] for w in json.loads(result.stdout)["files"][0]["warnings"]]
    tally.equal(warnings, ["P-6"], "a source that has changed gives no lines")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        if has_shared():
            check_facts(tally, Path(folder))
        else:
            tally.skip("facts", f"no shared data in {SHARED}")
        check_node(tally, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
