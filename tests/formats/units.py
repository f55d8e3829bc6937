#!/usr/bin/env python3
"""Every metric of every sample through every pair of formats: what comes back is the same quantity (value times unit), whatever digits and name
it has. A difference needs a named loss of that metric (its unit is not written), or of its fractions, and is then as small as rounding can be."""
import itertools
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared  # noqa: E402

ALL = ["callgrind", "hpcdb", "hpcrun"]  # hold every metric
ONE = {"webgrind": None, "folded": "samples", "nytprof": "sub_time", "nytprof-tlv": "sub_ticks"}  # hold one, under this name
TICKS = ("nytprof", "nytprof-tlv")  # what is no time is written as ticks of 100 ns there
NO_TOTAL = {"SELFONLY"}  # databases of ours in the shared data store no inclusive cost of it, so there is no total to compare
BASES = {"ns": 1, "us": 1e3, "usec": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9, "seconds": 1e9, "milliseconds": 1e6, "microseconds": 1e3, "nanoseconds": 1}
COUNTS = {"", "count", "n", "executions", "hits", "samples", "calls", "events"}
LARGEST = 400_000  # bytes of a sample
ONE_BY_ONE = 4  # metrics of a sample, from all over it, that go to each format that holds one


def size_of(unit, ticks_per_sec):
    """Dimension and size of a unit."""
    if unit == "tick" and ticks_per_sec:
        return "time", 1e9 / ticks_per_sec
    found = re.fullmatch(r"([\d.]*)([a-z]+)", unit)
    if found and found[2] in BASES:
        return "time", float(found[1] or 1) * BASES[found[2]]
    return ("count", 1) if unit in COUNTS else (unit, 1)


def info(path):
    result = assay("info", "--json", path)
    if result.returncode != 0:
        return None
    return json.loads(result.stdout)["files"][0]


def metrics_of(found):
    """name -> (total, dimension, size), of those that are measured, not computed."""
    if not found:
        return {}
    ticks = found["attributes"].get("ticks_per_sec")
    ticks = float(ticks) if isinstance(ticks, str) else 0
    return {m["name"]: (m["total"], *size_of(m.get("unit", ""), ticks)) for m in found["metrics"] if not m.get("formula") and m.get("total") is not None}


def base(name):
    return re.sub(r"[ _]*\([^()]*\)$", "", name.replace(" ", "_"))


# hpcprof scales instructions of a kernel by the share of its runs that was sampled (docs/formats/hpcrun-measurements.md), which `info` has no need to read;
# and the planted defect of a file is that its sums differ.
SCALED = ("gpu.m", "GINS")
DEFECT = "bad-v4-selfsum.wg"


def samples():
    roots = [FIXTURES] + ([SHARED / "data"] if has_shared() else [])
    for path in sorted(itertools.chain(*(r.rglob("*") for r in roots))):
        if path.is_file() and path.stat().st_size <= LARGEST and path.suffix not in (".md", ".json", ".sh", ".c", ".py", ".txt", ".xml", ".info"):
            yield path
        elif path.is_dir() and ((path / "meta.db").exists() or any(path.glob("*.hpcrun"))):
            yield path


def is_rounding(before, after, rows, losses):
    """Whether the difference is what a loss that was named explains."""
    kinds = {loss["kind"] for loss in losses}
    if kinds & {"saturated", "wrapped", "negative"}:
        return True
    if before[1] != after[1]:
        return False
    unit = max(before[2], after[2])
    slack = rows * unit if kinds & {"fractions", "units"} else 0
    return abs(before[0] * before[2] - after[0] * after[2]) <= slack + 1e-9 * abs(before[0] * before[2])


def is_nothing(before, after):
    return before[0] == 0 and any(a[0] == 0 for a in after)


def compare(tally, label, name, before, after, rows, losses):
    """`after`: what may be the metric, by its name."""
    target = label.split(" -> ")[1].split(":")[0]
    # What NYTProf's graph has in seconds its stacks have in ticks: these are written for those, and the loss says how long one is.
    ticks = [re.search(rf"'{name.replace('_time', '_ticks')}' \((\d*)ns\)", loss["message"]) for loss in losses if name.endswith("_time")]
    after = after + [(a[0] * int(t[1] or 1), before[1], 1) for a in after for t in ticks if t and a[1] == "count"]
    # What has no stack is left out of formats of stacks: the loss says how much, and all the rest is there.
    outside = [re.search(rf"^(-?[\d.]+) of '{re.escape(name)}' has no stack", loss["message"]) for loss in losses if loss["kind"] == "outside"]
    before = (before[0] - sum(float(found[1]) for found in outside if found), *before[1:])
    unsaid = any(loss["kind"] == "units" and f"'{name}'" in loss["message"] for loss in losses)
    same = any(is_rounding(before, a, rows, losses) for a in after)
    if unsaid and not same:  # the digits stay, at least
        digits = [(a[0] * a[2] / 100 if target in TICKS else a[0], *before[1:]) for a in after]
        same = any(is_rounding(before, d, rows, losses) for d in digits)
    # Damage that leaves ticks without a length is named by the same loss.
    clockless = name.endswith("_time") and any(loss["kind"] == "units" and "_ticks' (tick)" in loss["message"] for loss in losses)
    same = same or clockless or is_nothing(before, after)
    tally.check(same, label, f"before {before}", f"after  {after}", *[f"{loss}" for loss in losses])


def convert(path, target, work, *more):
    out = work / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.unlink(missing_ok=True)
    result = assay("convert", "--json", path, "--to", target, "-o", out, *more)
    if result.returncode != 0:
        return None, []
    return out, json.loads(result.stdout)["losses"]


def one_file(tally, path, work):
    found = info(path)
    if not found or found["format"] in ("hpcstruct", "hpctrace"):
        return 0
    shapes = set(found["shapes"])
    if not shapes & {"graph", "tree"}:
        return 0
    before = {name: what for name, what in metrics_of(found).items() if name not in NO_TOTAL and (path.name, name) != SCALED and path.name != DEFECT}
    rows = sum(found["counts"].get(k, 0) for k in ("functions", "calls", "call_sites", "contexts", "lines", "stacks", "nodes")) + 10
    tried = 0
    for target in ALL:
        if target == found["format"]:
            continue
        out, losses = convert(path, target, work)
        after = metrics_of(info(out)) if out else {}
        for name, what in before.items():
            got = [after[n] for n in after if base(n) == base(name)]
            if got:
                tried += 1
                compare(tally, f"{path} -> {target}: {name}", name, what, got, rows, losses)
    some = list(before.items())[:: max(1, len(before) // ONE_BY_ONE)]
    for target, called in ONE.items():
        if target == found["format"]:
            continue
        for name, what in some:
            out, losses = convert(path, target, work, "--metric", name)
            after = metrics_of(info(out)) if out else {}
            got = after.get(called) if called else next(iter(after.values()), None)
            if out and got and not name.startswith(("stmt_", "line_", "d_")):
                tried += 1
                compare(tally, f"{path} -> {target}: {name}", name, what, [got], rows, losses)
    return tried


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as work:
        tried = sum(one_file(tally, path, Path(work)) for path in (map(Path, sys.argv[1:]) if sys.argv[1:] else samples()))
    tally.check(tried >= 100 or len(sys.argv) > 1, "many were tried", tried)
    tally.finish()


if __name__ == "__main__":
    main()
