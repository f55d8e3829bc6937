#!/usr/bin/env python3
"""Row by row: callgrind_annotate and cg_annotate.

Of callgrind: self and inclusive cost of every function, self cost of every file and line, every call, in every event; and the same report of
what assay writes; with lines only and with addresses and jumps. Of cachegrind: every function and line. With ASSAY_PEERS_LARGE=1 also Lua.
"""
import csv
import json
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "formats")]
from annotate_peers import annotated, callgrind_views  # noqa: E402
from peer import LARGE, PROGRAMS, has, quietly, same_rows  # noqa: E402
from support import Tally, assay  # noqa: E402

LUA = """
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local words = {}
for w in ("the quick brown fox jumps over the lazy dog "):rep(200):gmatch("%a+") do words[w] = (words[w] or 0) + #w:upper():gsub("O", "0") end
local keys = {}
for k in pairs(words) do keys[#keys + 1] = k end
table.sort(keys, function(a, b) return words[a] < words[b] or words[a] == words[b] and a < b end)
print(fib(16), table.concat(keys, " "), pcall(error, "no"))
"""


def events_of(path):
    return next(line[7:].split() for line in path.read_text(errors="replace").split("\n") if line.startswith("events:"))


def add(table, key, figures):
    table[key] = [a + b for a, b in zip(table.get(key, [0] * len(figures)), figures)]


def report_rows(text, count):
    """(mark, "file:function", calls, costs) of each row: mark * = a function, < = its caller, > = its callee, "" = without --tree."""
    row = re.compile(r"^\s*((?:[\d,]+|\.)(?:\s+(?:[\d,]+|\.)){%d})  (?:([*<>]) +)?(\S.*)$" % (count - 1))
    for line in text.split(" file:function\n")[1].split("-- Auto-annotated source")[0].split("\n"):
        fields = row.match(line)
        if fields:
            name = re.sub(r" \[[^\[\]]*\]$", "", fields[3])
            calls = re.search(r" \(([\d,]+)x\)$", name) if fields[2] in ("<", ">") else None
            costs = [0 if f == "." else int(f.replace(",", "")) for f in fields[1].split()]
            yield fields[2] or "", name[:calls.start()] if calls else name, int(calls[1].replace(",", "")) if calls else 0, costs


def top(path, events):
    """"file:function" -> self, total, calls (the tools take those of several objects for one), function -> objects."""
    own, total, calls, objects = {}, {}, defaultdict(int), defaultdict(set)
    for row in json.loads(assay("top", "--json", "--limit", "0", path).stdout)["rows"]:
        key = f"{row.get('file') or '???'}:{row['name']}"
        add(own, key, [row["self"][e] for e in events])
        add(total, key, [row["total"][e] for e in events])
        calls[key] += row.get("calls", 0)
        objects[row["name"]].add(row.get("module"))
    return own, total, calls, objects


# ---- callgrind ----

def by_part(table, part):
    """Of "file:function" the sums of each file (0) or function (1)."""
    sums = {}
    for key, costs in table.items():
        add(sums, key.split(":", 1)[part], costs)
    return sums


def with_callgrind_annotate(tally, label, path, elsewhere):
    def report(of, *options):
        shown = quietly("callgrind_annotate", "--threshold=100", "--show-percs=no", *options, of, cwd=elsewhere)
        return shown.stdout.decode("utf-8", "replace")

    events = events_of(path)
    text = report(path, "--auto=yes", "--context=1000000")
    theirs = {name: costs for _, name, _, costs in report_rows(text, len(events))}
    own, total, calls, objects = top(path, events)
    some = {key: costs for key, costs in by_part(own, 1).items() if any(costs)}
    same_rows(tally, some, {key: costs for key, costs in by_part(theirs, 1).items() if any(costs)}, f"{label}: self of each function")

    lines = annotated(path)
    files = {}
    for (file, _), row in lines.items():
        add(files, file or "???", [row.get("self", {}).get(e, 0) for e in events])
    some = {file: costs for file, costs in files.items() if any(costs)}
    same_rows(tally, some, {file: costs for file, costs in by_part(theirs, 0).items() if any(costs)}, f"{label}: self of each file")
    views = {(file, number): costs for file, rows in callgrind_views(text, len(events)).items() for number, (costs, _) in rows.items()}
    if views:
        same_rows(tally, {key: [lines.get(key, {}).get("self", {}).get(e, 0) for e in events] for key in views}, views, f"{label}: self of each line")

    inclusive(tally, label, list(report_rows(report(path, "--inclusive=yes", "--tree=both", "--auto=no"), len(events))), total, calls, objects)
    calls_of_lines(tally, label, list(report_rows(report(path, "--inclusive=yes", "--tree=calling", "--auto=no"), len(events))), lines, events)

    side_by_side(tally, label, path, events, by_part(theirs, 1), views)

    made = elsewhere / "made.callgrind"
    assay("convert", "--sum-up", "--to", "callgrind", "-o", made, path)
    again = {name: costs for _, name, _, costs in report_rows(report(made, "--auto=no"), len(events))}
    same_rows(tally, again, theirs, f"{label}: self of each function and file, as the tool reads what assay writes")


def side_by_side(tally, label, path, events, functions, views):
    """The columns of --metric A,B,... and of a formula over two events, as the tool shows events side by side."""
    weighed = len(events) > 1 and f"weighed = {events[0]} + 10*{events[1]}"
    names = [*events, *(["weighed"] if weighed else [])]
    asked = ("--csv", "--limit", "0", "--metric", ",".join([*events, *([weighed] if weighed else [])]))

    def table(verb, *arguments):
        return csv.DictReader(assay(verb, *asked, *arguments).stdout.decode("utf-8", "replace").splitlines())

    def figures(row, kind):
        return [float(row[f"{n} {kind}" if len(names) > 1 else kind] or 0) for n in names]

    def weigh(costs):
        return [float(c) for c in costs] + ([costs[0] + 10.0 * costs[1]] if weighed else [])

    own = {}
    for row in table("top", path):
        add(own, row["function"].removeprefix("'"), figures(row, "self"))
    theirs = {name: weigh(costs) for name, costs in functions.items() if any(costs)}
    same_rows(tally, {name: costs for name, costs in own.items() if any(costs)}, theirs, f"{label}: columns of top")
    lines = {(row["file"], int(row["line"])): figures(row, "self") for row in table("annotate", path)}
    if views:
        same_rows(tally, {key: lines.get(key, weigh([0] * len(events))) for key in views}, {key: weigh(costs) for key, costs in views.items()},
                  f"{label}: columns of annotate")
        rows = {(row["file"], int(row["line"] or 0)): figures(row, "self") for row in table("top", "--by", "line", path)}
        same_rows(tally, {key: rows.get(key, weigh([0] * len(events))) for key in views}, {key: weigh(costs) for key, costs in views.items()},
                  f"{label}: columns of top --by line")
    main = {row["relation"]: figures(row, "self") for row in table("callers", "main", path) if row["relation"] == "function"}
    same_rows(tally, main, {"function": weigh(functions["main"])}, f"{label}: columns of callers")


def inclusive(tally, label, rows, total, calls, objects):
    """A function that is called: the sum of its calls. The tool adds a function's calls to itself, which are part of the others: they are taken off.
    Between two objects they are calls of another function. One that nobody calls: itself and its calls, in a row for each file its code is in."""
    theirs, entered, callers, uncalled = {}, {}, [], {}
    for mark, name, count, costs in rows:
        if mark == "<":
            callers.append((name, count, costs))
        elif mark == "*":
            if callers:
                entered[name] = sum(count for _, count, _ in callers)
                function = name.split(":", 1)[1]
                itself = [c for n, _, c in callers if n.split(":", 1)[1] == function and len(objects[function]) == 1]
                theirs[name] = [figure - sum(c[i] for c in itself) for i, figure in enumerate(costs)]
            else:
                uncalled[name] = costs
            callers = []
    called = by_part(theirs, 1)
    roots = {name: costs for name, costs in by_part(uncalled, 1).items() if name not in called}
    ours = by_part(total, 1)
    same_rows(tally, {name: ours.get(name) for name in roots}, roots, f"{label}: inclusive of each function that nobody calls")
    same_rows(tally, {name: total.get(name) for name in theirs}, theirs, f"{label}: inclusive of each function that is called")
    same_rows(tally, {name: calls.get(name) for name in entered}, entered, f"{label}: calls of each function")


def calls_of_lines(tally, label, rows, lines, events):
    """Calls from the code of each file to each function."""
    theirs, ours, file = {}, {}, None
    for mark, name, count, costs in rows:
        if mark == "*":
            file = name.split(":", 1)[0]
        elif mark == ">":
            add(theirs, (file, name), [count, *costs])
    for (file, _), row in lines.items():
        for callee in row.get("callees", ()):
            add(ours, (file or "???", f"{callee['file'] or '???'}:{callee['name']}"),
                [callee["calls"], *[callee["total"][e] + callee["recursive"][e] for e in events]])
    same_rows(tally, ours, theirs, f"{label}: calls from each file to each function")


# ---- cachegrind ----

def with_cg_annotate(tally, label, path, elsewhere):
    text = quietly("cg_annotate", "--auto=yes", "--show-percs=no", "--threshold=0", "--context=1000000", path, cwd=elsewhere).stdout.decode("utf-8", "replace")
    if " file:function\n" not in text:
        return tally.skip(label, "this cg_annotate prints another report")
    events = events_of(path)
    theirs = {name: costs for _, name, _, costs in report_rows(text, len(events))}
    same_rows(tally, top(path, events)[0], theirs, f"{label}: each function")
    lines = annotated(path)
    views = {(file, number): costs for file, rows in callgrind_views(text, len(events)).items() for number, (costs, _) in rows.items()}
    if views:
        same_rows(tally, {key: [lines.get(key, {}).get("self", {}).get(e, 0) for e in events] for key in views}, views, f"{label}: each line")


# ---- programs ----

RUNS = (("callgrind", with_callgrind_annotate, "--cache-sim=yes", "--branch-sim=yes"), ("callgrind", with_callgrind_annotate, "--dump-instr=yes", "--collect-jumps=yes"),
        ("cachegrind", with_cg_annotate, "--branch-sim=yes"))


def programs(tally, folder):
    for source, compiler, *flags in (("calls.c", "gcc", "-O1"), ("templates.cpp", "g++", "-O1")):
        if has(tally, source, compiler):
            binary = folder / Path(source).stem
            quietly(compiler, "-g", *flags, PROGRAMS / source, "-o", binary, cwd=folder)
            yield source, [binary]
    if LARGE and has(tally, "lua5.4", "lua5.4"):
        (folder / "work.lua").write_text(LUA)
        yield "lua5.4", ["lua5.4", folder / "work.lua"]


def main():
    tally = Tally()
    if has(tally, "valgrind", "valgrind", "callgrind_annotate", "cg_annotate"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            elsewhere = folder / "elsewhere"  # the tools cut the current folder off some paths
            elsewhere.mkdir()
            for label, command in programs(tally, folder):
                for tool, check, *options in RUNS:
                    path = folder / f"out.{tool}"
                    quietly("valgrind", "-q", f"--tool={tool}", f"--{tool}-out-file={path}", *options, *command, cwd=folder)
                    check(tally, f"{tool} {options[0]}, {label}", path, elsewhere)
    tally.finish()


if __name__ == "__main__":
    main()
