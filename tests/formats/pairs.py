#!/usr/bin/env python3
"""Every sample with costs to every format that is written and read, and read again: what differs must have been named as a loss, and what was named must have
been there to be lost. An ordinary run takes each sample to a few of the formats, in turn; ASSAY_THOROUGH=1 takes all to all. `units.py` compares quantities."""
import json
import math
import os
import re
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared, said  # noqa: E402
from units import NO_TOTAL, size_of  # noqa: E402

THOROUGH = bool(os.environ.get("ASSAY_THOROUGH"))
AREAS = ("callgrind", "webgrind", "nytprof", "hpcrun", "hpcdb", "hpcdb-xml", "exchange")
LARGEST = 3_000_000 if THOROUGH else 60_000  # bytes of a sample
EVERY = 1 if THOROUGH else 9  # pair

# What can change figures, each in its own way.
FIGURES = {"metrics", "units", "fractions", "negative", "estimated", "outside", "clipped", "spans", "damaged", "overflow", "saturated", "end", "gaps", "times",
           "cost", "precision", "rounded", "wrapped"}
# Aspect -> the losses that explain a difference. Stacks that are estimated have the figures of functions, not of their lines.
EXPLAINED = {
    "self": FIGURES | {"names"},
    "total": FIGURES | {"names", "tree", "contexts", "inclusive", "lines"},
    "calls": FIGURES | {"names", "calls", "tree", "counts", "invocations", "call_lines"},
    "module": FIGURES | {"modules", "names"},
    "file": FIGURES | {"files", "lines", "names", "places", "sources", "modules"},
    "line": FIGURES | {"lines", "files", "names", "places", "sources", "modules"},
    "metrics": {"metrics", "lines", "hits", "formulas", "inclusive", "calls", "invocations"},
    "streams": {"streams", "metrics"},
    "labels": {"labels"},
    "times": {"times", "timeline", "metrics"},
    "markers": {"markers"},
    "counters": {"counters"},
}
# Xdebug rounds the cost of each call, and NYTProf that of each sub, so that sums of what they call differ from what they say of a function.
SLACK = {("callgrind", "total"): 3e-3, ("nytprof", "total"): 3e-3}
DIGITS = {"hpcdb-xml": 1e-5}  # experiment.xml has six digits of sums
# A loss that is claimed -> whether there was something to lose.
CLAIMS = {"metrics": lambda f: f["metric_count"] > 1, "streams": lambda f: f["stream_count"] > 0 or "timeline" in f["shapes"], "labels": lambda f: "labels" in f["shapes"],
          "times": lambda f: "timeline" in f["shapes"], "timeline": lambda f: "timeline" in f["shapes"], 
          "estimated": lambda f: "tree" not in f["shapes"], "modules": lambda f: f["modules"], "jumps": lambda f: f["format"] == "callgrind"}


def ask(verb, path, *more):
    result = assay(verb, "--json", *more, path)
    return json.loads(result.stdout) if result.returncode == 0 else None


def plain(name):
    """A name as the poorest format has it: folded stacks know neither ';' nor line ends, and call what has no name something."""
    return (name or "").replace(";", ":").replace("\n", " ").replace("\r", " ").replace("\0", " ").replace("�", "?").strip() or "[unknown]"


def file_of(row):
    """Without the line and column that speedscope and V8 have as part of the file (data/exchange/README.md)."""
    return re.sub(r"(:\d+){1,2}$", "", row["file"] or "")


def sums(rows, key, figure):
    out = {}
    for row in rows:
        out[key(row)] = out.get(key(row), 0) + figure(row)
    return {k: v for k, v in out.items() if v}


def figures(top, lines, metric, size, twice):
    """What functions, modules, files and lines have of a metric, in the smallest unit of its kind. Functions whose name is there twice are told apart by other
    things in other formats."""
    rows = top["rows"]
    once = [r for r in rows if plain(r["name"]) not in twice]

    def own(row):
        return row["self"].get(metric, 0) * size
    return {"self": sums(rows, lambda r: plain(r["name"]), own),
            "total": sums(once, lambda r: plain(r["name"]), lambda r: r["total"].get(metric, 0) * size),
            "module": sums((r for r in once if r["module"]), lambda r: r["module"], own),
            "file": sums((r for r in once if r["file"]), file_of, own),
            "line": sums((r for r in lines if r["file"] not in (None, "php:internal") and r["line"] and plain(r["function"]) not in twice), lambda r: (file_of(r), r["line"]), own)}


def facts(path, twice=None):
    """What a file has, as far as it can be compared; None = no costs. `twice`: names to leave out; by default those that several functions have."""
    found, top = ask("info", path), ask("top", path, "--limit", "0")
    if not found or not top or not top["rows"] or "self" not in top["rows"][0]:
        return None
    lines = ask("top", path, "--by", "line", "--limit", "0")
    found = found["files"][0]
    counts = found["counts"]
    ticks = found["attributes"].get("ticks_per_sec")
    ticks = float(ticks) if isinstance(ticks, str) else 0
    units = {m["name"]: size_of("count" if m.get("unit") == "none" else m.get("unit", ""), ticks) for m in found["metrics"] if m.get("total") and not m.get("formula") and m["name"] not in NO_TOTAL}
    names = sums(top["rows"], lambda r: plain(r["name"]), lambda r: 1)
    if twice is None:  # and what calls from outside of any sub are called, which have no self cost
        twice = {name for name, count in names.items() if count > 1} | {"main::NULL"}
    return {"format": found["format"], "metric": top["metric"], "metrics": units,
            "figures": {m: figures(top, lines["rows"] if lines else [], m, u[1], twice) for m, u in units.items()},
            "twice": twice, "stream_count": len(found.get("streams", [])) or counts.get("streams", 0), "metric_count": len(found["metrics"]),
            "streams": sum(1 for s in found["streams"] if s["total"]) if found.get("streams") else counts.get("streams", 0), "shapes": set(found["shapes"]),
            "markers": sum(counts.get(k, 0) for k in ("markers", "instants", "async_spans")), "counters": counts.get("counters", 0),
            "calls": sums(top["rows"], lambda r: plain(r["name"]), lambda r: r["calls"]), "modules": any(r["module"] for r in top["rows"])}


def same(a, b, slack=0.0):
    return all(math.isclose(v, b.get(k, 0), rel_tol=max(1e-9, slack), abs_tol=1e-9) for k, v in a.items())


def unlike(before, after):
    """Aspects in which the metric that `top` shows differs. It may have another name, but not another kind of unit."""
    if before["metric"] not in before["metrics"]:
        return set()
    was, kind = before["figures"][before["metric"]], before["metrics"][before["metric"]][0]
    if all(u[0] != kind for u in after["metrics"].values()):
        return {"self"}
    each = [{aspect for aspect in was if not same(was[aspect], after["figures"][m][aspect], SLACK.get((before["format"], aspect), DIGITS.get(before["format"], 0)))} for m, u in after["metrics"].items() if u[0] == kind]
    return min(each, key=lambda aspects: ("self" in aspects, len(aspects)), default=set())


def examples(aspect, before, after):
    """A few of the rows that differ, for people."""
    was = before["figures"].get(before["metric"], {}).get(aspect, {})
    for metric, now in after["figures"].items():
        rows = [(k, v, now[aspect].get(k)) for k, v in was.items() if not same({k: v}, now[aspect])] if was else []
        yield f"{metric}: {rows[:3]}"


def is_explained(aspect, losses, before, after):
    if aspect == "total" and {"webgrind", "nytprof-tlv"} & {before["format"], after["format"]}:
        return True  # they state totals in which recursive calls are added to the first one (docs/formats/webgrind.md, nytprof-tlv.md)
    if aspect in ("total", "file", "calls") and after["format"] == "cachegrind":
        return "calls" in losses  # and a function is one in each file that has some of its cost
    return bool(losses & EXPLAINED[aspect])


def differences(before, after):
    out = unlike(before, after)
    if before["format"] == "webgrind":  # the lines of its functions are where they begin, or where they were called first
        out.discard("line")
    if len(after["metrics"]) < len(before["metrics"]):
        out.add("metrics")
    entries = {name for name, calls in before["calls"].items() if calls == 1}  # webgrind counts how often functions are entered, others calls
    counts_entries = before["format"] == "webgrind" or after["format"] == "webgrind"
    if not same({k: v for k, v in before["calls"].items() if not (counts_entries and k in entries)}, after["calls"]):
        out.add("calls")
    if before["streams"] > 1 and after["stream_count"] < before["streams"]:
        out.add("streams")
    if "labels" in before["shapes"] - after["shapes"]:
        out.add("labels")
    if "timeline" in before["shapes"] - after["shapes"]:
        out.add("times")
    return out | {kind for kind in ("markers", "counters") if before[kind] and not after[kind]}


# Samples whose own figures contradict each other: planted defects; a thread whose file is missing; subs that have times but no events; names with a carriage
# return, which texts take for the end of a line.
CONTRADICTORY = ("bad-", "warn-thread-missing", "api-raw", "utf8-raw", "crlf.xdebug.v7cpp")
# Differences that no loss names yet, in the aspects that they are known to have: one of these that is gone is to be taken out.
KNOWN = {
    ("loops-cputime-t.m", "hpcdb"): {"total"}, ("loops-perf.m", "hpcdb"): {"total"},  # totals of functions that are entered from two places at once
    ("issue-233", "assay-json"): {"times"}, ("issue-233", "v8-cpuprofile"): {"times"},  # the trace is damaged to its end
    ("words-subs0.nytprof", "v8-cpuprofile"): {"metrics"},
}
# What is refused, and why.
REFUSALS = ("needs function and call costs, which this profile does not have", "needs figures, and this file has none", "has neither calls nor lines", "needs costs of",
            "holds functions and their calls, which this profile does not have", "holds calling contexts, which this profile does not have", "a trace is a timeline, which this profile does not have", "needs call stacks, and the input has none",
            "has no metric that can be shown this way", "the figures are too large for times")


def one_pair(tally, path, before, target, out):
    result = assay("convert", "--json", path, "--to", target, "-o", out)
    label = f"{path.parent.name}/{path.name} -> {target}"
    if result.returncode != 0:
        tally.check(any(why in result.stderr.decode() for why in REFUSALS), f"{label}: is written", said(result))
        return
    losses = {loss["kind"] for loss in json.loads(result.stdout)["losses"]}
    after = facts(out, before["twice"])
    if not after and (target == "hpctrace" or not before["metrics"]):
        return  # times and contexts, without figures
    if not after:
        tally.check(losses & FIGURES, f"{label}: nothing is left, and nothing says so", sorted(losses))
        return
    known = KNOWN.get((path.name, target), set())
    found = {what for what in differences(before, after) if not is_explained(what, losses, before, after)}
    tally.check(known <= found, f"{label}: {known - found} are mended", "to be taken out of KNOWN")
    rest = sorted(found - known)
    tally.check(not rest, f"{label}: {', '.join(rest)} differ, and no loss says so", sorted(losses), *[e for what in rest for e in examples(what, before, after)])
    for loss in losses & CLAIMS.keys():
        tally.check(CLAIMS[loss](before), f"{label}: the loss '{loss}' is claimed, but there is none to lose", {k: before[k] for k in ("metrics", "streams", "shapes")})


def unpacked(archive, to):
    """Directories in an archive that are a sample each: databases and measurements."""
    with tarfile.open(archive) as tar:
        tar.extractall(to)
    for folder in (to, *sorted(to.rglob("*"))):
        if folder.is_dir() and ((folder / "meta.db").exists() or (folder / "experiment.xml").exists() or any(folder.glob("*.hpcrun"))):
            yield folder


def samples(work):
    for path in sorted(path for area in AREAS for path in (SHARED / "data" / area).rglob("*")):
        if path.name.startswith(CONTRADICTORY):
            continue
        if not path.is_file() or path.stat().st_size > LARGEST or "broken" in path.parts or path.suffix in (".md", ".py", ".c", ".cc", ".js", ".sh", ".php"):
            continue
        if path.name.endswith(".tar.gz"):
            yield from unpacked(path, work / path.parent.name / path.name[:-7])
        elif path.name != "expected.json":
            yield path


def main():
    tally, turn = Tally(), 0
    if not has_shared():
        tally.skip("pairs", "no shared data")
        tally.finish()
    formats = json.loads(assay("formats", "--json").stdout)["formats"]
    targets = [f["name"] for f in formats if "write" in f["can"] and "read" in f["can"] and set(f["holds"]) & {"tree", "graph"}]
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "written"
        for path in samples(Path(work) / "samples"):
            before = facts(path)
            if not before or not before["shapes"] & {"tree", "graph"}:
                continue
            for target in targets:
                turn += 1
                if turn % EVERY == 0 and target != before["format"]:
                    one_pair(tally, path, before, target, out)
                    shutil.rmtree(out) if out.is_dir() else out.unlink(missing_ok=True)
    tally.finish()


if __name__ == "__main__":
    main()
