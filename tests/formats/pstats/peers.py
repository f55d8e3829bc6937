#!/usr/bin/env python3
"""Profiles that this Python records, cProfile and profile, compared row by row with what its own module pstats says of them."""
import cProfile
import json
import profile
import pstats
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import Tally, assay, said  # noqa: E402


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def work():
    json.loads(json.dumps({str(i): [fib(i % 12), even(i % 40)] for i in range(200)}))
    return sorted(range(1000), key=lambda x: -x)


def compare(tally, path):
    stats = pstats.Stats(str(path)).stats
    result = assay("top", "--json", "--metric", "time", "--limit", "1000000", path)
    if not tally.check(result.returncode == 0, f"top {path.name}", said(result)):
        return
    rows = {}
    for r in json.loads(result.stdout)["rows"]:
        file = r["file"] or ""
        rows[file[:-len(f":{r['line']}")] if r["line"] else file, r["line"] or 0, r["name"]] = r
    tally.check(rows.keys() == stats.keys(), f"{path.name}: the same functions", rows.keys() ^ stats.keys())
    for key in rows.keys() & stats.keys():
        cc, nc, tt, ct, _ = stats[key]
        r = rows[key]
        got = (r["self"]["primitive_calls"], r["calls"], r["self"]["time"], r["total"]["time"])
        tally.check(got == (cc, nc, tt, ct), f"{path.name}: {key}", got, (cc, nc, tt, ct))
    places(tally, path, stats)
    info = json.loads(assay("info", "--json", path).stdout)["files"][0]["counts"]
    tally.check(info["total_calls"] == sum(v[1] for v in stats.values()), f"{path.name}: calls in all", info)
    tally.check(info["calls"] == sum(len(v[4]) for v in stats.values()), f"{path.name}: callers", info)


def places(tally, path, stats):
    """The source of this file: each of its functions costs on the line where it begins."""
    wanted = {}
    for (file, line, _), (_, _, tt, _, _) in stats.items():
        if file == __file__:
            wanted[line] = wanted.get(line, 0) + tt
    result = assay("annotate", "--json", "--metric", "time", "--file", __file__, path)
    if not tally.check(result.returncode == 0, f"annotate {path.name}", said(result)):
        return
    rows = {r["line"]: r["self"]["time"] for f in json.loads(result.stdout)["sources"] for r in f["lines"] if r.get("self", {}).get("time")}
    tally.check(rows == wanted, f"{path.name}: lines where its functions begin", rows, wanted)


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for name, module in (("c.pstats", cProfile), ("python.pstats", profile)):
            p = module.Profile()
            p.runcall(work)
            path = Path(folder) / name
            p.dump_stats(str(path))
            compare(tally, path)
    tally.finish()


if __name__ == "__main__":
    main()
