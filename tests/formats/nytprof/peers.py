#!/usr/bin/env python3
"""What we write, read by the original: Devel::NYTProf::Data, nytprofhtml and nytprofcsv load it without a word and give the same figures.

Needs Perl's Devel::NYTProf (Debian: libdevel-nytprof-perl). Figures of our files are compared with those that the original takes from the
file they were made of; conversions from callgrind and from chunked streams with what those files say.
"""
import json
import math
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, run, said  # noqa: E402

HERE = Path(__file__).resolve().parent


def has_original():
    return shutil.which("perl") and run("perl", "-MDevel::NYTProf::Data", "-e1").returncode == 0


def load(*paths):
    result = run("perl", HERE / "load.pl", *paths)
    return json.loads(result.stdout) if result.returncode == 0 else {}


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def same(a, b):
    """Equal, times within rounding, callers of a site in any order."""
    if isinstance(a, float) or isinstance(b, float):
        return isinstance(a, (int, float)) and isinstance(b, (int, float)) and near(a, b)
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(same(x, y) for x, y in zip(sorted(a, key=str), sorted(b, key=str)))
    return a == b


def compare(tally, label, before, after, parts):
    if not tally.check(after and "error" not in after, f"{label}: loads", after):
        return
    tally.equal(after["messages"], before.get("messages", []), f"{label}: no message")
    for part in parts:
        tally.check(same(before[part], after[part]), f"{label}: the same {part}", str(before[part])[:500], str(after[part])[:500])


def samples():
    found = [FIXTURES / "demo.nytprof", FIXTURES / "demo-z.nytprof"]
    if has_shared():
        found += sorted(p for p in (SHARED / "data/nytprof/real").glob("*.nytprof") if p.read_bytes().startswith(b"NYTProf 5"))
    return found


def own_format(tally, path, tmp):
    """Rewritten, compressed, and through the model: the original sees the same profile."""
    targets = {"rewritten": [], "compressed": ["z"], "summed up": ["", "--sum-up"], "summed up, compressed": ["z", "--sum-up"]}
    made = {}
    for label, options in targets.items():
        out = tmp / (label.replace(" ", "-").replace(",", "") + ".out")
        version = "nytprof:5.0" + (options[0] if options else "")
        result = assay("convert", path, "--to", version, "-o", out, *options[1:])
        if tally.check(result.returncode == 0, f"{path.name} {label}", said(result)):
            made[label] = str(out)
    loaded = load(path, *made.values())
    for label, out in made.items():
        parts = ["lines", "subs", "files"] + ([] if path.name == "api-raw.nytprof" else ["source"])
        if "summed" in label and path.name == "api-raw.nytprof":
            parts = ["files", "subs"]  # a file with negative ticks: the original reads a sum of -6 as 2^32 - 6
        compare(tally, f"{path.name} {label}", loaded.get(str(path), {}), loaded.get(out), parts)


def tools(tally, path, label, tmp):
    for tool in ("nytprofcsv", "nytprofhtml"):
        folder = tmp / tool
        shutil.rmtree(folder, ignore_errors=True)
        options = ["--no-flame"] if tool == "nytprofhtml" else []
        result = run(tool, "--file", path, "--out", folder, *options)
        errors = [line for line in result.stderr.decode("utf-8", "replace").splitlines() if "Unable to open" not in line]
        tally.check(result.returncode == 0 and not errors, f"{label}: {tool} reports it", *errors[:5])
        tally.check(folder.is_dir() and any(folder.iterdir()), f"{label}: {tool} writes files")


def from_other(tally, path, tmp):
    """Functions become subs: self cost is that of the file, one unit of cost is a tick."""
    out = tmp / "other.out"
    result = assay("convert", path, "--to", "nytprof", "-o", out)
    if not tally.check(result.returncode == 0, f"{path.name}: converts", said(result)):
        return
    rows = json.loads(assay("top", "--json", "--limit", "100000", path).stdout)
    got = load(out).get(str(out), {})
    tally.equal(got.get("messages"), [], f"{path.name}: loads without a message")
    metric = rows["metric"]
    scale = {"us": 1e-6, "10ns": 1e-8}.get(unit(path, metric), 1e-7)
    wanted, seen = {}, {}
    for r in rows["rows"]:
        name = r["name"] if "::" in r["name"] else "main::" + r["name"]
        wanted[name] = wanted.get(name, 0) + r["self"][metric]
    for name, s in got.get("subs", {}).items():
        seen[name.split("[")[0] if name not in wanted else name] = s["excl"] / scale
    wrong = [(n, v, seen.get(n)) for n, v in wanted.items() if v and not math.isclose(v, seen.get(n, 0), rel_tol=1e-6)]
    tally.check(not wrong, f"{path.name}: self cost of every function", *wrong[:5])
    tools(tally, out, path.name, tmp)


def unit(path, metric):
    info = json.loads(assay("info", "--json", path).stdout)["files"][0]
    return next(m["unit"] for m in info["metrics"] if m["name"] == metric)


def killed(tally, tmp):
    """A stream that was cut is written complete: the original loads it and sees the calls."""
    path, out = FIXTURES / "killed.nytprof", tmp / "killed.out"
    result = assay("convert", path, "--to", "nytprof", "-o", out)
    tally.check(result.returncode == 0, "killed.nytprof: is completed", said(result))
    whole, got = load(FIXTURES / "demo.nytprof", out).values()
    if not tally.check("error" not in got and got["messages"] == [], "killed.nytprof: loads without a message", got):
        return
    for name in ("main::fib", "main::counter"):
        keys = ("calls", "incl", "excl", "reci", "depth")
        tally.check(same([got["subs"][name][k] for k in keys], [whole["subs"][name][k] for k in keys]), f"killed.nytprof: figures of {name}",
                    got["subs"][name], whole["subs"][name])


def main():
    tally = Tally()
    if not has_original():
        tally.skip("nytprof peers", "Perl's Devel::NYTProf is not installed (libdevel-nytprof-perl)")
        tally.finish()
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        for path in samples():
            own_format(tally, path, tmp)
        for name in ("demo.callgrind", "demo.xdebug", "demo2.xdebug", "demo.nytprof-tlv", "events.nytprof-tlv"):
            from_other(tally, FIXTURES / name, tmp)
        result = assay("convert", "--sum-up", FIXTURES / "demo-z.nytprof", "--to", "nytprof", "-o", tmp / "demo")
        tally.check(result.returncode == 0, "demo-z.nytprof: written anew", said(result))
        tools(tally, tmp / "demo", "demo-z.nytprof", tmp)
        killed(tally, tmp)
    tally.finish()


if __name__ == "__main__":
    main()
