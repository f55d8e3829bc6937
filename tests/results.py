#!/usr/bin/env python3
"""The library and the command say the same: results.c prints what the public results hold, and it is what --json prints.

  results.py RESULTS_PROGRAM

Where the figures come from is the business of other tests; this one holds that there is one way to them.
"""
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import FIXTURES, Tally, run, said  # noqa: E402

KINDS = ["function", "entry", "inlined", "loop", "line", "instruction", "other", "module", "file", "call"]
STATES = ["", "hit", "partial", "missed", "excluded", "unknown"]
PROFILES = ["demo.callgrind", "demo-cache.callgrind", "demo.xdebug", "demo.nytprof", "demo.folded", "demo.experiment.xml"]


def command(tally, *args):
    result = run(os.environ["ASSAY"], *args)
    return json.loads(result.stdout) if tally.check(result.returncode == 0, f"assay {' '.join(map(str, args))}", said(result)) else None


def library(tally, program, what, path, *more):
    result = run(program, what, path, *more)
    if not tally.check(result.returncode == 0, f"results {what} {path.name}", said(result)):
        return None
    return [line.split("\t") for line in result.stdout.decode().split("\n") if line]


def figures(names, fields):
    """Fields of all columns as the object that JSON has; None when there are none."""
    return dict(zip(names, map(number, fields))) if fields else None


def number(text):
    return float(text) if any(c in text for c in ".en") else int(text)


def split(lines):
    """The names of the columns, and the other lines."""
    return lines[0][1:], lines[1:]


def compare(tally, label, got, want):
    if tally.equal(len(got), len(want), f"{label}: rows"):
        differ = [(g, w) for g, w in zip(got, want) if g != w]
        tally.check(not differ, f"{label}: the same rows", *differ[:2])


def tables(tally, program, path):
    for what, options in {"table": [], "lines": ["--by", "line"], "files": ["--by", "file"], "cycles": ["--cycles"]}.items():
        if what == "lines" and path.suffix == ".folded":
            continue  # has no lines
        want = command(tally, "top", "--json", "--limit", "0", *options, path)
        lines = library(tally, program, what, path)
        if want is None or lines is None:
            continue
        names, rows = split(lines)
        n = len(names)
        got = []
        for _, name, file, line, calls, cycle, members, *cost in rows:
            row = {"self": figures(names, cost[:n]), "total": figures(names, cost[n:]) or {}, "calls": int(calls)}
            row |= {"file": file or None, "line": int(line) or None} if what != "files" else {"file": None, "line": None}
            if what == "lines":
                row["function"] = name or None
            else:
                row["name"] = name
            row |= {key: int(value) for key, value in (("cycle", cycle), ("members", members)) if value != "0"}
            got.append(row)
        keys = {"self", "total", "calls", "file", "line", "cycle", "members", "function" if what == "lines" else "name"}
        compare(tally, f"{path.name}: top {what}", got, [{k: v for k, v in row.items() if k in keys} for row in want["rows"]])


def views(tally, program, path):
    for what in ("tree", "bottom-up", "flat", "hot-path"):
        want = command(tally, "tree", "--json", "--limit", "10000", *([] if what == "tree" else [f"--{what}"]), path)
        lines = library(tally, program, what, path)
        if want is None or lines is None:
            continue
        names, rows = split(lines)
        n = len(names)
        got = []
        for _, depth, kind, name, file, line, site, calls, has_self, *cost in rows:
            row = {"depth": int(depth), "kind": KINDS[int(kind)], "file": file or None, "line": int(line) or None, "calls": int(calls)}
            row |= {"site": int(site) or None, "self": figures(names, cost[:n]) if has_self == "1" else dict.fromkeys(names), "total": figures(names, cost[n:])}
            got.append(row | ({"name": name} if row["kind"] in ("function", "call", "inlined") else {}))
        rows = []
        for row in want["rows"]:
            row["site"] = row["site"] and row["site"]["line"]
            del row["module"]
            if row["kind"] not in ("function", "call", "inlined"):
                del row["name"]
            rows.append(row)
        compare(tally, f"{path.name}: {what}", got, rows)


def callers(tally, program, path):
    want = command(tally, "top", "--json", "--limit", "3", "--sort", "total", path)
    for name in [row["name"] for row in want["rows"]] if want else []:
        want = command(tally, "callers", "--json", "--limit", "0", name, path)
        lines = library(tally, program, "callers", path, name)
        if want is None or lines is None:
            continue
        names, rows = split(lines)
        n = len(names)
        got = []
        for what, *fields in rows:
            if what == "row":
                got.append({"name": fields[0], "calls": int(fields[1]), "self": figures(names, fields[2:2 + n]), "total": figures(names, fields[2 + n:]), "callers": [], "callees": []})
                continue
            depth, called, line, sites, calls, recursion, *cost = fields
            row = {"depth": int(depth), "name": called, "line": int(line) or None, "sites": int(sites), "calls": int(calls), "recursion": recursion == "1"}
            got[-1][what + "s"].append(row | {"total": figures(names, cost)})
        rows = []
        for block in want["rows"]:
            row = {key: block[key] for key in ("name", "calls", "self", "total")}
            for side in ("callers", "callees"):
                keys = ("depth", "name", "sites", "calls", "recursion", "total")
                row[side] = [{k: r[k] for k in keys} | {"line": r["site"]["line"]} for r in block[side]]
            rows.append(row)
        compare(tally, f"{path.name}: callers of {name}", got, rows)


def paths(tally, program, path):
    """Self costs by stack are what folded stacks have."""
    lines = library(tally, program, "paths", path)
    result = run(os.environ["ASSAY"], "convert", path, "--to", "folded", "-o", "-")
    if not tally.check(result.returncode == 0, f"{path.name}: as folded stacks", said(result)) or lines is None:
        return
    stack, got = [], {}
    for _, depth, name, own, _ in lines:
        stack[int(depth) - 1:] = [name]
        if number(own):
            got[";".join(stack)] = got.get(";".join(stack), 0) + number(own)
    want = {}
    for line in result.stdout.decode().splitlines():
        names, _, own = line.rpartition(" ")
        want[names] = number(own)
    compare(tally, f"{path.name}: stacks", sorted(got.items()), sorted(want.items()))


def charts(tally, program, path):
    want = command(tally, "timeline", "--json", "--limit", "0", path)
    lines = library(tally, program, "chart", path)
    if want is None or lines is None:
        return
    got = [[row[1], *map(int, row[2:])] for row in lines if row[0] == "row"]
    compare(tally, f"{path.name}: functions over time", got, [[r["name"], r["self"], r["total"], r["streams"]] for r in want["rows"]])
    got = [[row[1], *map(int, row[2:6]), row[6]] for row in lines if row[0] == "box"]
    boxes = [[s["label"], b["depth"], b["from"], b["to"], b["time"], b["name"]] for s in want["streams"] for b in s["boxes"]]
    compare(tally, f"{path.name}: boxes", got, boxes)


def sources(tally, program, path):
    want = command(tally, "annotate", "--json", "--limit", "0", path)
    lines = library(tally, program, "annotate", path)
    if want is None or lines is None:
        return
    got, names = [], []
    for what, *fields in lines:
        if what == "source":
            got.append({"file": fields[0], "lines": []})
        elif what == "columns":
            names = fields
        else:
            line, state, has_hits, hits, branches, branches_hit, has_cost, calls, callees, *cost = fields
            row = {"line": int(line)} | ({"hits": int(hits)} if has_hits == "1" else {}) | ({"state": STATES[int(state)]} if state != "0" else {})
            row |= {"branches": int(branches), "branches_hit": int(branches_hit)} if branches != "0" else {}
            if has_cost == "1":
                row |= {"calls": int(calls), "callees": int(callees), "self": figures(names, cost[:len(names)]) or {}}
                row |= {"total": figures(names, cost[len(names):])} if cost[len(names):] else {}
            got[-1]["lines"].append(row)
    keys = ("line", "hits", "state", "branches", "branches_hit", "calls", "self", "total")
    rows = []
    for source in want["sources"]:
        lines = [{k: l[k] for k in keys if k in l} | ({"callees": len(l.get("callees", []))} if "calls" in l else {}) for l in source["lines"]]
        rows.append({"file": source["file"], "lines": lines})
    compare(tally, f"{path.name}: sources", got, rows)


def main():
    tally = Tally()
    program = sys.argv[1]
    for name in PROFILES:
        path = FIXTURES / name
        tables(tally, program, path)
        views(tally, program, path)
        callers(tally, program, path)
    for name in ("demo.callgrind", "demo.xdebug", "demo.folded"):
        paths(tally, program, FIXTURES / name)
    for name in ("demo.xdebug", "demo.nytprof"):
        charts(tally, program, FIXTURES / name)
    for name in ("demo.callgrind", "demo.nytprof", "demo.info"):
        sources(tally, program, FIXTURES / name)
    tally.finish()


if __name__ == "__main__":
    main()
