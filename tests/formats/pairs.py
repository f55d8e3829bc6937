#!/usr/bin/env python3
"""Every sample of the exchange formats to every format of call stacks that is written, and read again: what differs must have been named as a loss, and what was
named must have been there to be lost. `units.py` does the same for quantities through the other formats."""
import json
import math
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared  # noqa: E402
from units import size_of  # noqa: E402

TARGETS = ("pprof", "speedscope", "chrome-trace", "v8-cpuprofile", "firefox-profile", "otlp-profiles", "folded")
AREAS = ("chrome", "firefox", "folded", "gprof", "otlp", "perf", "perf-data", "pprof", "pprof-legacy", "pstats", "speedscope", "v8")
ALL_PAIRS, SOME_PAIRS = 40_000, 3_000_000  # bytes: smaller samples go to every format, larger ones to one or two
# What can change figures, each in its own way.
FIGURES = {"units", "fractions", "negative", "estimated", "outside", "clipped", "spans", "damaged", "overflow", "end", "gaps", "times"}


def ask(verb, path, *more):
    result = assay(verb, "--json", *more, path)
    return json.loads(result.stdout) if result.returncode == 0 else None


def figures(top, metric, unit):
    """name -> self, of the functions that have some, in the smallest unit of its kind; names as the poorest format has them."""
    out = {}
    for row in top["rows"]:
        name = plain(row["name"] or "")
        out[name] = out.get(name, 0) + row["self"].get(metric, 0) * size_of(unit, 0)[1]
    return {k: v for k, v in out.items() if v}


def facts(path):
    """What a file has, as far as it can be compared; None = no costs."""
    found, top = ask("info", path), ask("top", path, "--limit", "0")
    if not found or not top or not top["rows"] or "self" not in top["rows"][0]:
        return None
    found = found["files"][0]
    units = {m["name"]: m.get("unit", "") for m in found["metrics"] if m.get("total")}
    return {"format": found["format"], "metric": top["metric"], "metrics": units, "figures": {m: figures(top, m, u) for m, u in units.items()},
            "streams": len(found.get("streams", [])) or found["counts"].get("streams", 0), "shapes": set(found["shapes"]),
            "markers": sum(found["counts"].get(k, 0) for k in ("markers", "instants", "async_spans")), "counters": found["counts"].get("counters", 0), "calls": any(row["calls"] for row in top["rows"])}


def plain(name):
    """A name as the poorest format has it: folded stacks know neither ';' nor line ends, and call what has no name something."""
    return name.replace(";", ":").replace("\n", " ").replace("\r", " ").replace("\0", " ").replace("�", "?").strip() or "[unknown]"


def same(a, b):
    return a.keys() == b.keys() and all(math.isclose(a[k], b[k], rel_tol=1e-9, abs_tol=1e-9) for k in a)


def same_figures(before, after):
    """Of the metric that `top` shows: it may have another name, but not another kind of unit."""
    if before["metric"] not in before["metrics"]:
        return True
    kind = kind_of(before["metrics"][before["metric"]])
    return any(same(before["figures"][before["metric"]], after["figures"][m]) for m, u in after["metrics"].items() if kind_of(u) == kind)


def kind_of(unit):
    return "count" if unit == "none" else size_of(unit, 0)[0]


def differences(before, after):
    """kind of difference -> the losses that name it."""
    out = {}
    if len(after["metrics"]) < len(before["metrics"]):
        out["metrics"] = {"metrics"}
    if not same_figures(before, after):
        out["figures"] = FIGURES | {"metrics"}
    if before["streams"] > 1 and after["streams"] < before["streams"]:
        out["streams"] = {"streams", "metrics"}  # streams of metrics that are not written
    if "labels" in before["shapes"] - after["shapes"]:
        out["labels"] = {"labels"}
    if "timeline" in before["shapes"] - after["shapes"]:
        out["times"] = {"times", "timeline"}
    for kind in ("markers", "counters"):
        if before[kind] and not after[kind]:
            out[kind] = {kind}
    return out


# A loss that is claimed -> whether there was something to lose.
CLAIMS = {"metrics": lambda f: len(f["metrics"]) > 1, "streams": lambda f: f["streams"] > 1, "labels": lambda f: "labels" in f["shapes"],
          "times": lambda f: "timeline" in f["shapes"],
          "calls": lambda f: f["calls"], "estimated": lambda f: "tree" not in f["shapes"]}


# What is refused, and why.
REFUSED = {("edges.folded", "chrome-trace"): "the figures are too large for times"}


def one_pair(tally, path, before, target, work):
    out = work / "written"
    result = assay("convert", "--json", path, "--to", target, "-o", out)
    label = f"{path.parent.name}/{path.name} -> {target}"
    refused = REFUSED.get((path.name, target))
    if refused:
        tally.check(result.returncode != 0 and refused in result.stderr.decode(), f"{label}: is refused", result.stderr[-300:])
        return
    if not tally.check(result.returncode == 0, f"{label}: is written", result.stderr.decode("utf-8", "replace")[-300:]):
        return
    losses = {loss["kind"] for loss in json.loads(result.stdout)["losses"]}
    after = facts(out)
    if not after:
        tally.check(losses & FIGURES, f"{label}: nothing is left, and nothing says so", sorted(losses))
        return
    for what, names in differences(before, after).items():
        tally.check(losses & names, f"{label}: {what} differ, and no loss says so", sorted(losses), {k: (before[k], after[k]) for k in ("metrics", "streams", "shapes")})
    for loss in losses & CLAIMS.keys():
        tally.check(CLAIMS[loss](before), f"{label}: the loss '{loss}' is claimed, but there is none to lose", {k: before[k] for k in ("metrics", "streams", "shapes")})


def samples():
    for root in (SHARED / "data/exchange" / area for area in AREAS):
        for path in sorted(root.iterdir()) if has_shared() else ():
            if path.is_file() and path.name != "expected.json" and path.suffix not in (".md", ".py", ".c", ".cc", ".js", ".sh"):
                yield path


def main():
    tally = Tally()
    turn = 0
    with tempfile.TemporaryDirectory() as work:
        for path in samples():
            size = path.stat().st_size
            before = facts(path) if size <= SOME_PAIRS else None
            if not before or not before["shapes"] & {"tree", "graph"} or "coverage" in before["shapes"]:
                continue
            few = [TARGETS[(turn + k) % len(TARGETS)] for k in range(2 if size < SOME_PAIRS / 10 else 1)]
            turn += size > ALL_PAIRS
            for target in TARGETS if size <= ALL_PAIRS else few:
                if target != before["format"]:
                    one_pair(tally, path, before, target, Path(work))
    tally.finish()


if __name__ == "__main__":
    main()
