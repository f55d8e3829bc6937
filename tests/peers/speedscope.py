#!/usr/bin/env python3
"""What speedscope's importer says of profiles of all systems that assay converted to chrome-trace and speedscope: self and total of every function, by name, over all
threads, are those that `assay top` has of the same file, and self is that of the file it was made from. Skipped without node and npm's speedscope."""
import json
import math
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peer import has, quietly, same_rows  # noqa: E402
from support import FIXTURES, SKIP, SOURCE, Tally, assay, said  # noqa: E402

LOADER = Path(__file__).resolve().parent / "loaders/speedscope.mjs"
INPUTS = {"demo.folded": "samples", "demo.xdebug": "Time", "demo.nytprof": "sub_time", "app.m": "CPUTIME", "demo.pprof": "cpu", "demo.chrome-trace.json": "wall",
          "demo.perf-script": "cpu-clock", "demo.callgrind": "Ir"}
MICROSECONDS = {"nanoseconds": 1e-3, "microseconds": 1, "milliseconds": 1e3, "seconds": 1e6, "10ns": 1e-2, "ns": 1e-3, "us": 1, "s": 1e6, "sec": 1e6}


def modules():
    """Where npm's speedscope is, or None."""
    places = [os.environ.get("SPEEDSCOPE_MODULES", ""), str(SOURCE / "build/peers/node_modules")]
    return next((p for p in places if p and (Path(p) / "speedscope/package.json").is_file()), None)


def add(rows, name, self, total):
    before = rows.get(name, (0, 0))
    rows[name] = (before[0] + self, before[1] + total)


def ours(tally, path, metric=None):
    result = assay("top", "--json", "--limit", "0", *(["--metric", metric] if metric else []), path)
    tally.check(result.returncode == 0, f"{path.name}: assay top", said(result))
    found = json.loads(result.stdout)
    info = json.loads(assay("info", "--json", path).stdout)["files"][0]
    unit = next(m["unit"] for m in info["metrics"] if m["name"] == found["metric"])
    rows = {}
    for row in found["rows"]:
        add(rows, row["name"], *(row[k].get(found["metric"], 0) * MICROSECONDS.get(unit, 1) for k in ("self", "total")))
    return rows


def theirs(tally, path, folder, where):
    result = quietly("node", LOADER, path, cwd=folder, SPEEDSCOPE_MODULES=where)
    if not tally.check(result.returncode == 0 and result.stdout.strip() not in (b"", b"null"), f"{path.name}: speedscope reads it", said(result)):
        return {}
    rows = {}
    for profile in json.loads(result.stdout):
        if profile["name"].startswith("async "):  # in no total
            continue
        scale = MICROSECONDS.get(profile["unit"], 1)
        for row in profile["rows"]:
            add(rows, row["name"].split(" {")[0], row["self"] * scale, row["total"] * scale)  # it makes arguments part of the name
    return rows


def some(rows, which):
    """Rows in which self (0) or total (1) is something; of self alone the figure."""
    return {name: row[:which + 1] for name, row in rows.items() if row[which] > 1e-6}


def main():
    tally = Tally()
    where = modules()
    if not has(tally, "speedscope", "node"):
        return SKIP
    if not where:
        tally.skip("speedscope", "npm's speedscope is not installed")
        return SKIP
    close = lambda a, b: all(math.isclose(x, y, rel_tol=1e-6, abs_tol=2e-3) for x, y in zip(a, b))  # noqa: E731
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        for name, metric in INPUTS.items():
            for to in ("chrome-trace", "speedscope"):
                out = folder / f"{name}.{to}.json"
                result = assay("convert", FIXTURES / name, "--to", to, "--metric", metric, "-o", out)
                if not tally.check(result.returncode == 0, f"{name}: is converted to {to}", said(result)):
                    continue
                got = theirs(tally, out, folder, where)
                same_rows(tally, some(ours(tally, out), 1), some(got, 1), f"{name} as {to}", close)
                same_rows(tally, some(ours(tally, FIXTURES / name, metric), 0), some(got, 0), f"{name} as {to}, self", close)
    tally.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main())
