#!/usr/bin/env python3
"""Figures of one file must agree, whoever shows them: for every cost sample of the shared data the functions add up to the total, the contexts too, no context has more than
the whole, the flat view has the functions of `top`, and JSON and CSV say the same, row by row. What cannot hold of a file is listed here by name, with the reason."""
import concurrent.futures
import csv
import io
import json
import math
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared  # noqa: E402

AREAS = ("callgrind", "webgrind", "nytprof", "hpcrun", "exchange/folded")
KEYS = ("name", "file", "line", "module")
FRAMES = ("function", "inlined", "instruction")  # the last: code that has no symbol is a function in `top`

# (sample, metric): why the functions do not add up to the total.
SELF_IS_NOT_ALL = {
    ("hpcrun/demo/ranks.d", "SELFONLY"): "the metric is stored without the scope `execution`, of which the total of a database is taken",
    ("hpcrun/demo/ranks-stats.d", "SELFONLY"): "the same",
}

# Samples whose totals are others in the tree, and why.
TREE_DIFFERS = {
    "callgrind/bad-cut.xdebug.gz": "it ends inside a block: `top` has the calls that are there in the total of the caller, in the tree they have no caller",
    "nytprof/real/api-raw.nytprof": "its call sites and its returns were made up separately",
}


def equal(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return a == b


def total(values):
    values = list(values)
    return math.fsum(values) if any(isinstance(v, float) for v in values) else sum(values)


def samples():
    root = SHARED / "data"
    for area in AREAS:
        for path in sorted((root / area).rglob("*")):
            if path.is_file() and path.suffix not in (".md", ".json", ".py", ".c", ".pl", ".sh", ".php", ".txt", ".html"):
                yield path, str(path.relative_to(root))
        for path in sorted((root / area).rglob("*.d")):
            if path.is_dir():
                yield path, str(path.relative_to(root))


def ask(path, *args):
    result = assay(*args, path)
    return result.stdout.decode("utf-8", "surrogateescape") if result.returncode == 0 else None


def rows_of(text):
    return json.loads(text)["rows"] if text else None


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def number(text, like):
    """Of a cell: no number ("null") and not known ("") are null in JSON."""
    return None if text in ("", "null") else float(text) if isinstance(like, float) else int(text)


def functions(say, name, path, top):
    """The functions add up to what `info` says."""
    info = json.loads(ask(path, "info", "--json"))["files"][0]
    for metric in info["metrics"]:
        if not top or metric["name"] not in top[0]["self"]:
            continue
        spent = total(r["self"][metric["name"]] for r in top)
        if (name, metric["name"]) in SELF_IS_NOT_ALL:
            say(not equal(spent, metric["total"]), f"{name}: {metric['name']} still is an exception")
            continue
        say(equal(spent, metric["total"]), f"{name}: functions spend {metric['name']}", spent, metric["total"])


def same_rows(say, label, rows, table, metric, key="name"):
    """JSON and CSV."""
    say(len(rows) == len(table), f"{label}: as many rows in CSV", len(rows), len(table))
    for r, t in zip(rows, table):
        want = [r["name"].encode("utf-8", "surrogateescape"), r["file"] or "", r["module"] or "", str(r["line"] or ""), r["calls"]]
        got = [t[key].encode("utf-8", "surrogateescape"), t["file"], t["module"], t["line"], int(t["calls"])]
        own = [r["self"][metric], r["total"][metric]]
        figures = [number(t["self"], own[0]), number(t["total"], own[1])]
        if not say(want[:1] == got[:1] and want[3:] == got[3:] and own == figures, f"{label}: a row in CSV", want, got, own, figures):
            return


def flat(say, name, path, top, metric):
    text = ask(path, "tree", "--flat", "--json", "--metric", metric)
    if not say(text, f"{name}: tree --flat"):
        return
    rows = rows_of(text)
    listed = sorted(([*(r[k] for k in KEYS), r["self"], r["total"], r["calls"]] for r in rows if r["kind"] == "function"), key=str)
    known = sorted(([*(r[k] for k in KEYS), r["self"], r["total"], r["calls"]] for r in top), key=str)
    say(listed == known, f"{name}: functions of the flat view are those of top", len(listed), len(known))
    same_rows(say, f"{name}: tree --flat", rows, table_of(ask(path, "tree", "--flat", "--csv-raw", "--metric", metric)), metric)
    lines(say, name, rows, metric)
    files(say, name, path, rows, metric)
    for i, r in enumerate(rows):
        if r["kind"] not in ("module", "file"):
            continue
        below = []
        for q in rows[i + 1:]:
            if q["depth"] <= r["depth"]:
                break
            if q["depth"] == r["depth"] + 1:
                below.append(q["self"][metric])
        if not say(equal(total(below), r["self"][metric]), f"{name}: {r['kind']} {r['name']} is the sum of its parts", total(below), r["self"][metric]):
            return


def files(say, name, path, rows, metric):
    """Where `top --by file` knows totals, those of the flat view are the same. A file in two modules is two there."""
    groups = rows_of(ask(path, "top", "--by", "file", "--json", "--limit", "0", "--metric", metric)) or []
    known = {r["name"]: r["total"].get(metric) for r in groups if r["total"]}
    listed = [(r["name"], r["total"][metric]) for r in rows if r["kind"] == "file"]
    for file, cost in listed:
        if sum(n == file for n, _ in listed) > 1 or known.get(file) is None:
            continue
        if not say(equal(cost, known[file]), f"{name}: total of the file {file}", cost, known[file]):
            return


def lines(say, name, rows, metric):
    """Where the flat view has the lines of a function they are all of its self."""
    for i, r in enumerate(rows):
        if r["kind"] != "function":
            continue
        below = []
        for q in rows[i + 1:]:
            if q["depth"] <= r["depth"]:
                break
            if q["kind"] == "line":
                below.append(q["self"][metric])
        if below and not say(equal(total(below), r["self"][metric]), f"{name}: lines of {r['name']} are its self", total(below), r["self"][metric]):
            return


def bottom_up(say, name, path, top, has_tree):
    """It begins with the functions of top; of webgrind 4, top has the total that is stored, where recursion counts every level."""
    text = ask(path, "tree", "--bottom-up", "--depth", "1", "--limit", "0", "--json")
    if not say(text, f"{name}: tree --bottom-up"):
        return
    answer = json.loads(text)
    metric = answer["metric"]
    is_same = not has_tree or name.startswith(("callgrind/", "hpcrun/", "exchange/", "nytprof/")) and name not in TREE_DIFFERS
    if not top or metric not in top[0]["self"] or Path(name).name.startswith("bad-v4-"):
        return
    pick = lambda r: [*(r[k] for k in KEYS), r["self"][metric], *([r["total"][metric], r["calls"]] if is_same else [])]  # noqa: E731
    got, want = sorted(map(pick, answer["rows"]), key=str), sorted(map(pick, top), key=str)
    if not is_same:  # functions that spent nothing need not be in a tree
        got, want = [r for r in got if r[4]], [r for r in want if r[4]]
    wrong = [(a, b) for a, b in zip(got, want) if a[:4] != b[:4] or not all(map(equal, a[4:], b[4:]))]
    say(len(got) == len(want) and not wrong, f"{name}: bottom-up begins with top", len(got), len(want), wrong[:1])


def rounding(name, rows):
    """Xdebug rounds what it charges a caller for each call by itself, so a caller can have up to one unit for each call more than what was spent below it; webgrind 4
    keeps those figures. A file with a planted defect says what it likes."""
    if Path(name).name.startswith("bad-v4-"):
        return math.inf
    return sum(r["calls"] for r in rows) if name.startswith(("callgrind/", "webgrind/")) else 0


def contexts(say, name, path, top):
    """Trees: each cost is in one context."""
    text = ask(path, "tree", "--no-estimate", "--functions", "--json")
    if not text:
        return False
    answer = json.loads(text)
    rows, metric, whole = answer["rows"], answer["metric"], answer["total"]
    spent = total(r["self"][metric] for r in rows)
    say(equal(spent, whole), f"{name}: contexts spend {metric}", spent, whole)
    most = max((r["total"][metric] for r in rows), default=0)
    say(most <= whole * (1 + 1e-9) + rounding(name, rows), f"{name}: no context has more than the whole", most, whole)
    recursion(say, name, path, rows, metric, top)
    return True


def recursion(say, name, path, rows, metric, top):
    """The total of a function is that of its contexts that are not inside another one of it. NYTProf states it in call sites, rounded to a tick for each call."""
    if name.startswith(("webgrind/", "nytprof/broken/")) or name in TREE_DIFFERS or not top:
        return
    found, stack = {}, []
    for r in rows:
        del stack[r["depth"] - rows[0]["depth"]:]
        key = tuple(r[k] for k in KEYS)
        if r["kind"] in FRAMES and key not in stack:
            found.setdefault(key, []).append(r["total"][metric])
        stack.append(key if r["kind"] in FRAMES else None)
    ticks = 1
    if metric == "sub_ticks" and metric not in top[0]["total"]:
        ticks = float(json.loads(ask(path, "info", "--json"))["files"][0]["attributes"].get("ticks_per_sec", 0))
    for r in top if ticks else ():
        key, cost = tuple(r[k] for k in KEYS), (r["total"].get(metric, r["total"].get("sub_time")) or 0) * ticks
        known = total(found.get(key, [0]))
        near = abs(cost - known) <= r["calls"] + 1 if ticks != 1 else equal(cost, known)
        if ticks != 1 and not r["calls"]:  # what is outside of every sub has no context
            continue
        if not say(near, f"{name}: total of {r['name']} by its contexts", cost, known):
            return


def examine(sample):
    path, name = sample
    found = []

    def say(ok, label, *detail):
        found.append((bool(ok), label, detail))
        return ok

    text = ask(path, "top", "--json", "--limit", "0")
    if not text or "rows" not in text:
        return name, None
    answer = json.loads(text)
    if "rows" not in answer or not answer["rows"] or "self" not in answer["rows"][0] or not answer["rows"][0]["self"]:
        return name, None
    top, metric = answer["rows"], answer["metric"]
    functions(say, name, path, top)
    same_rows(say, f"{name}: top", top, table_of(ask(path, "top", "--csv-raw", "--limit", "0")), metric, "function")
    flat(say, name, path, top, metric)
    bottom_up(say, name, path, top, contexts(say, name, path, top))
    return name, found


def main():
    tally = Tally()
    if not has_shared():
        tally.skip("consistency", f"no shared data in {SHARED}")
        tally.finish()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, found in pool.map(examine, samples()):
            for ok, label, detail in found or ():
                tally.check(ok, label, *detail)
    tally.finish()


if __name__ == "__main__":
    main()
