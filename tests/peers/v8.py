#!/usr/bin/env python3
"""What Chrome DevTools and speedscope say of .cpuprofile files that assay converted from profiles of all systems. DevTools must take them, and has the same total.
speedscope has the same self time of every function; it gives the last sample no time, where DevTools gives it the mean of the others. Skipped without node, the
packages that ./dev installs, or the scripts of the shared directory that load a file with them."""
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peer import has, quietly, same_rows  # noqa: E402
from support import BUILD, FIXTURES, SHARED, SKIP, Tally, assay, said  # noqa: E402

INPUTS = ("demo.xdebug", "demo.nytprof", "demo.nytprof-tlv", "app.m", "demo.experiment.xml", "demo.callgrind", "demo.folded", "demo.pprof", "demo.perf-script",
          "demo.speedscope.json", "demo.pstats", "demo.v8-cpuprofile", "demo.v8-heapprofile")
MODULES = BUILD / "peers" / "node_modules"
LOADERS = SHARED / "tools" / "peers"
HIDDEN = ("(root)", "(idle)")  # by speedscope


def close(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def judge(tally, script, path, *args):
    result = quietly("node", LOADERS / script, path, *args, cwd=path.parent, JUDGE_MODULES=str(MODULES))
    if not tally.check(result.returncode == 0, f"{path.name}: {script} reads it", said(result)):
        return None
    return json.loads(result.stdout)


def ours(tally, path):
    """The total, and the self time of each function by name."""
    result = assay("top", "--json", "--limit", "0", "--metric", "time", path)
    tally.check(result.returncode == 0, f"{path.name}: assay top", said(result))
    found = json.loads(result.stdout)
    rows = {}
    for row in found["rows"]:
        rows[row["name"]] = rows.get(row["name"], 0) + row["self"]["time"]
    return found["total"], rows


def last_sample(path):
    """Whose it is, and the mean of the others."""
    profile = json.loads(path.read_bytes())
    names = {node["id"]: node["callFrame"]["functionName"] for node in profile["nodes"]}
    return names[profile["samples"][-1]], sum(profile["timeDeltas"][1:]) / (len(profile["samples"]) - 1)


def compare(tally, path):
    total, rows = ours(tally, path)
    chrome = judge(tally, "chrome.mjs", path)
    if chrome:
        tally.check(close(chrome["total_ms"] * 1000, total), f"{path.name}: the total of DevTools is ours", chrome["total_ms"], total)
        tally.equal(chrome["samples"], len(json.loads(path.read_bytes())["samples"]), f"{path.name}: DevTools has all samples")
    speedscope = judge(tally, "speedscope.mjs", path, 100000)
    if not speedscope:
        return
    theirs = {}
    for row in speedscope["profiles"][0]["top"]:
        theirs[row["name"]] = theirs.get(row["name"], 0) + row["self"]
    name, mean = last_sample(path)
    rows[name] -= mean
    pick = lambda figures: {k: v for k, v in figures.items() if abs(v) > 1e-6 * total and k not in HIDDEN}  # noqa: E731
    same_rows(tally, pick(rows), pick(theirs), path.name, close)


def main():
    tally = Tally()
    if not has(tally, "V8's profiles", "node"):
        return SKIP
    if not (MODULES / "speedscope").is_dir() or not (MODULES / "@paulirish/trace_engine").is_dir() or not LOADERS.is_dir():
        tally.skip("V8's profiles", "the packages speedscope and @paulirish/trace_engine, or what loads files with them, are not here")
        return SKIP
    with tempfile.TemporaryDirectory() as tmp:
        for name in INPUTS:
            path = Path(tmp) / f"{name}.cpuprofile"
            result = assay("convert", FIXTURES / name, "--to", "v8-cpuprofile", "-o", path)
            if tally.check(result.returncode == 0, f"{name}: is converted", said(result)):
                compare(tally, path)
    tally.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main())
