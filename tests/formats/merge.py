#!/usr/bin/env python3
"""What merge makes of two runs, against what the tools themselves made of them (data/coverage/merge of the shared data).

  merge.py MERGE_FACTS

Where the tools add up what assay adds up, every line, branch and function is the same; where a format says too little, the result is the lower
bound that docs/merge.md promises. The order of the inputs and whether one is merged with nothing make no difference. Of profiles, what
merge_facts.c says must be true of every sample.
"""
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, run, said  # noqa: E402

DATA = SHARED / "data" / "coverage" / "merge"
COUNTS = ("files", "lines", "lines_hit", "functions", "functions_hit", "branches", "branches_hit")
# n of m: only a lower bound of what the tool knows from its own data.
LOWER_BOUND = ("inventory-merged.coveragepy65.xml", "bank-merged.jacoco.xml")
# The inputs are gcovr's JSON files, which have functions; its XML has none.
NO_FUNCTIONS = ("calc-merged.gcovr52.xml", "shapes-merged.gcovr52.xml")
# The tool merges something else than these files: c8 the ranges of V8; JaCoCo's files of probes have no lines.
OTHER_SOURCE = ("cart-merged.c8.coverage-final.json", "bank-merged.jacoco.exec")
# Counts that the tool has of one run are not the sums of two: docs/merge.md. Hit or not is the same.
OTHER_COUNTS = ("lru-both.count.cov", "inventory-merged.coveragepy65.xml", "calc-merged.llvm14.json.gz", "shapes-merged.llvm14.json.gz", "money-AB.phpunit96.clover.xml", "bank-merged.jacoco.xml",
                "calc-merged.gcovr52.xml", "shapes-merged.gcovr52.xml")


def merge(tally, inputs, out, *options):
    result = assay("merge", *inputs, "--to", "lcov:2", "-o", out, "--json", *options)
    if "no known format" in said(result):
        return None
    if not tally.check(result.returncode == 0, f"merge of {', '.join(i.name for i in inputs)}", said(result)):
        return None
    return json.loads(result.stdout)["counts"]


def check_case(tally, tmp, name, want):
    inputs = [DATA / i for i in want["facts"]["inputs"]]
    ours, back, tool = tmp / "ours.info", tmp / "back.info", tmp / "tool.info"
    counts = merge(tally, inputs, ours)
    if counts is None:
        tally.skip(name, "the format is not read")
        return
    expected = {k: want["counts"][k] for k in COUNTS if k in want["counts"] and not (name in NO_FUNCTIONS and k.startswith("functions"))}
    got = {k: counts[k] for k in expected}
    if name in LOWER_BOUND:
        at_most = {**expected, "branches_hit": got["branches_hit"]}
        tally.check(got == at_most and got["branches_hit"] <= expected["branches_hit"], f"{name}: at most what the tool has", got, expected)
    elif name not in OTHER_SOURCE:
        tally.equal(got, expected, f"{name}: counts of the tool's own merge")
    if merge(tally, inputs[::-1], back) is not None:
        tally.check(ours.read_bytes() == back.read_bytes(), f"{name}: the order of the inputs makes no difference")
    if name not in OTHER_SOURCE + OTHER_COUNTS and merge(tally, [DATA / name], tool) is not None:
        tally.check(ours.read_bytes() == tool.read_bytes(), f"{name}: every figure of the tool's own merge")


def check_identity(tally, tmp, name, want):
    """One input with nothing counts what it counts."""
    counts = merge(tally, [DATA / name], tmp / "one.info")
    if counts is not None:
        expected = {k: want["counts"][k] for k in COUNTS if k in want["counts"]}
        tally.equal({k: counts[k] for k in expected}, expected, f"{name}: merged with nothing")


def check_tests(tally, tmp):
    """lcov keeps the tests apart; so does --keep-tests, and every record is the same."""
    for program in ("calc", "shapes"):
        ours, tool = tmp / "ours.info", tmp / "tool.info"
        merge(tally, [DATA / f"{program}-{k}.lcov25.info" for k in "ab"], ours, "--keep-tests")
        merge(tally, [DATA / f"{program}-merged.lcov25.info"], tool, "--keep-tests")
        names = [line for line in ours.read_text().split("\n") if line.startswith("TN:")]
        tally.equal(len(set(names)), 2, f"{program}: two tests")
        tally.check(ours.read_bytes() == tool.read_bytes(), f"{program}: every record of lcov's own merge")


def check_profiles(tally, program):
    """Fixtures, and every small sample of the areas of profiles."""
    paths = [p for p in FIXTURES.iterdir() if p.is_file()]
    for area in ("callgrind", "webgrind", "nytprof", "hpcrun"):
        paths += [p for p in (SHARED / "data" / area).rglob("*") if p.is_file() and p.suffix not in (".json", ".md", ".py", ".txt", ".html") and p.stat().st_size < 200_000]
    result = run(program, *sorted(paths))
    lines = result.stdout.decode("utf-8", "replace").split("\n")
    counts = [int(n) for n in re.findall(r"\d+", lines[-2])] if len(lines) > 1 else [0, 1, 0]
    print("\n".join(lines[:-2]))
    tally.add(*counts)
    tally.check(result.returncode == (1 if counts[1] else 0), "merge_facts", said(result))


def main():
    tally = Tally()
    check_profiles(tally, sys.argv[1])
    if not has_shared():
        tally.skip("merge", "no shared data")
        tally.finish()
    cases = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for name, want in cases.items():
            check_identity(tally, Path(folder), name, want)
            if want["facts"].get("inputs"):
                check_case(tally, Path(folder), name, want)
        check_tests(tally, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
