#!/usr/bin/env python3
"""Two runs of a small program under Valgrind's cachegrind, merged by `assay merge` and by cg_merge: the same costs for each file, function and line, by a
reader that shares nothing with assay; and cg_annotate prints the same totals and functions of both files.

cg_merge keeps ./a/../x.c and ./b/../x.c apart, which assay takes for one file (P-2 of docs/merge.md): both sides are compared by the shortest spelling."""
import posixpath
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SKIP, Tally, assay, run, said  # noqa: E402

PROGRAMS = Path(__file__).resolve().parent / "programs"
TOOLS = ("gcc", "valgrind", "cg_merge", "cg_annotate")


def add(rows, key, costs):
    rows[key] = [a + b for a, b in zip(rows.get(key, [0] * len(costs)), costs, strict=True)]


def read(path):
    """(events, summary, {(file, function, line): costs})"""
    events, summary, rows = [], [], {}
    file = function = None
    for line in path.read_text(errors="surrogateescape").splitlines():
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("summary:"):
            summary = [int(n) for n in line.split()[1:]]
        elif line.startswith("fl="):
            file = posixpath.normpath(line[3:])
        elif line.startswith("fn="):
            function = line[3:]
        elif line[:1].isdigit():
            at, *costs = (int(n) for n in line.split())
            add(rows, (file, function, at), costs)
    return events, summary, rows


def annotated(path):
    """What cg_annotate says of the whole and of each function: name -> figures."""
    result = run("cg_annotate", "--auto=no", "--threshold=0", "--show-percs=no", path)
    rows = {}
    for line in result.stdout.decode(errors="surrogateescape").splitlines():
        m = re.match(r"^((?:\s*[\d,]+)+)\s+(\S.*)$", line)
        if m:
            file, colon, function = m[2].partition(":")
            add(rows, posixpath.normpath(file) + colon + function, [int(n.replace(",", "")) for n in m[1].split()])
    return result.returncode, rows


def record(tally, folder):
    program = folder / "program"
    built = run("gcc", "-g", "-O1", "-o", program, PROGRAMS / "branches.c", PROGRAMS / "other.c")
    tally.check(built.returncode == 0, "the program is built", said(built))
    runs = []
    for number, arguments in enumerate(([], ["one", "two", "three"])):
        runs.append(folder / f"cachegrind.out.{number + 1}")
        result = run("valgrind", "-q", "--tool=cachegrind", "--cache-sim=yes", f"--cachegrind-out-file={runs[-1]}", program, *arguments)
        if not runs[-1].exists():
            tally.check(False, "cachegrind records a run", said(result))
    return runs


def main():
    tally = Tally()
    if not all(shutil.which(tool) for tool in TOOLS):
        print("skipped: no " + ", ".join(tool for tool in TOOLS if not shutil.which(tool)))
        return SKIP
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = record(tally, folder)
        ours, theirs = folder / "cachegrind.out.ours", folder / "cachegrind.out.theirs"
        merged = assay("merge", *runs, "-o", ours)
        tally.check(merged.returncode == 0, "assay merge", said(merged))
        result = run("cg_merge", "-o", theirs, *runs)
        tally.check(result.returncode == 0, "cg_merge", said(result))
        (events, summary, rows), (their_events, their_summary, their_rows) = read(ours), read(theirs)
        tally.equal(events, their_events, "events")
        tally.equal(summary, their_summary, "summary")
        tally.check(len(their_rows) > 100, f"{len(their_rows)} rows of cg_merge")
        for key in sorted(set(rows) | set(their_rows)):
            tally.equal(rows.get(key), their_rows.get(key), ":".join(map(str, key)))
        status, figures = annotated(ours)
        tally.equal(status, 0, "cg_annotate reads assay's file")
        tally.equal(figures.get("PROGRAM TOTALS"), their_summary, "cg_annotate's totals")
        their_figures = annotated(theirs)[1]
        for key in sorted(set(figures) | set(their_figures)):
            tally.equal(figures.get(key), their_figures.get(key), f"cg_annotate: {key}")
        again = run("cg_merge", "-o", folder / "again", ours, runs[0])
        tally.equal(again.returncode, 0, "cg_merge reads assay's file")
        tally.equal(read(folder / "again")[1], [a + b for a, b in zip(their_summary, read(runs[0])[1], strict=True)], "cg_merge adds to assay's file")
    tally.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main())
