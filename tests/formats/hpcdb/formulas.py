#!/usr/bin/env python3
"""Computed columns of default.yaml by the rules of hpcviewer: each formula is evaluated here, from the YAML and the summary in profile.db, for every context, and compared
with what `tree --metric NAME` shows. Inclusive figures are of the scope execution, exclusive ones of function (lex_aware for loops)."""
import json
import math
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]
from stream_stats import Database  # noqa: E402
from support import SHARED, SKIP, Tally, assay, has_shared, said  # noqa: E402

try:
    import yaml
except ImportError:
    print("no python3-yaml")
    sys.exit(SKIP)

UNARY = {"sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan, "floor": math.floor, "ceil": math.ceil}


def value(formula, figure):
    """Of a formula as YAML has it; `figure` gives that of an input."""
    if isinstance(formula, (int, float)):
        return float(formula)
    if "metric" in formula:
        return figure(formula)
    (op, operands), = formula.items()
    x = [value(o, figure) for o in operands]
    if any(math.isnan(v) for v in x):
        return math.nan
    if op in ("min", "max"):
        return min(x) if op == "min" else max(x)
    if op in UNARY:
        return UNARY[op](x[0])
    if op == "-" and len(x) == 1:
        return -x[0]
    result = x[0]
    for v in x[1:]:
        if op == "/" and v == 0:
            return math.nan
        result = {"+": result + v, "-": result - v, "*": result * v, "/": result / v if v else math.nan, "^": result ** v if op == "^" else 0}[op]
    return result


def is_computed(formula):
    return isinstance(formula, dict) and "metric" not in formula


def is_plain(formula):
    """Whether all its inputs are plain sums."""
    if isinstance(formula, (int, float)):
        return True
    if "metric" in formula:
        return str(formula["formula"]) == "$$" and formula["combine"] == "sum"
    return all(is_plain(o) for operands in formula.values() for o in operands)


def roots(column):
    for c in column or []:
        yield c
        yield from roots(c.get("children"))


def check(tally, name, folder):
    with open(folder / "metrics/default.yaml") as f:
        columns = yaml.safe_load(f)
    db, done = Database(folder), 0
    for root in roots(columns["roots"]):
        sides = next(iter((root.get("variants") or {"": {}}).values())).get("formula") or {}
        if not isinstance(sides, dict):
            continue
        kinds = ("self", "total") if "inclusive" in sides else ("self",)  # some columns are exclusive only
        side = sides.get("inclusive") or sides.get("exclusive")
        formula = side.get("standard", side.get("custom", side)) if isinstance(side, dict) else side
        if not is_computed(formula) or not is_plain(formula):
            continue

        def figure(x, context, kind):
            scopes = db.scopes[x["metric"]]
            scope = "execution" if kind == "total" else db.self_scope(x["metric"], context)
            return db.values[0].get((context, scopes.get(scope)), 0.0)

        want = sorted([repr_of(value(formula, lambda x: figure(x, c, k))) for k in kinds] for c in db.lexical)
        result = assay("tree", "--contexts", "--json=short", "--metric", root["name"], folder)
        if not tally.check(result.returncode == 0, f"{name}: {root['name']}", said(result)):
            continue
        got = sorted([repr_of(r[k][root["name"]]) for k in kinds] for r in json.loads(result.stdout)["rows"])
        tally.equal(got, want, f"{name}: {root['name']} of {len(want)} contexts")
        done += 1
    return done


def repr_of(x):
    return "none" if x is None or math.isnan(x) else f"{x:.9e}"


def main():
    tally, done = Tally(), 0
    if not has_shared():
        tally.skip("formulas", "no shared data")
        tally.finish()
    with tempfile.TemporaryDirectory() as temporary:
        for packed in ("derived-metrics", "loops-cuda", "loops-cudapc"):
            with tarfile.open(SHARED / f"data/hpcdb/{packed}.tar.gz") as tar:
                tar.extractall(Path(temporary) / packed)
            for meta in (Path(temporary) / packed).rglob("meta.db"):
                done += check(tally, packed, meta.parent)
    done += check(tally, "ranks", SHARED / "data/hpcrun/demo/ranks.d")
    tally.check(done > 20, "columns that are computed", done)
    tally.finish()


if __name__ == "__main__":
    main()
