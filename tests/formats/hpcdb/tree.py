#!/usr/bin/env python3
"""`tree` on databases against facts that an independent reader computed: the hot path, contexts, callers, and the figures of modules, files and lines. Also what must hold
of recursive programs: no total above the whole."""
import collections
import json
import math
import re
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import SHARED, Tally, assay, has_shared, said  # noqa: E402

FUNCTIONS = ("function", "inlined", "entry")
MOST = 1 + 1e-9


def shown(name):
    """As `tree` has it: no line 0, and no number of a type that nobody knows."""
    return re.sub(r"^<lexical type \d+>$", "<other>", re.sub(r":0$", "", name))


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


class Database:
    """What the command says of one database, and what is expected of it."""

    def __init__(self, tally, name, folder, facts):
        self.tally, self.name, self.folder, self.facts, self.metric = tally, name, folder, facts, facts["main_metric"]
        self.whole = None

    def ask(self, verb, *options):
        result = assay(verb, "--json", "--metric", self.metric, *options, self.folder)
        if not self.tally.check(result.returncode == 0, f"{self.name}: {verb} {' '.join(options)}", said(result)):
            return []
        answer = json.loads(result.stdout)
        self.whole = answer["total"]
        return answer["rows"]

    def self(self, row):
        return row["self"][self.metric]

    def total(self, row):
        return row["total"][self.metric]

    def holds(self, rows, want, label):
        """Each of the expected (name, value) is there as often; and none that is larger is missing from it."""
        left = collections.defaultdict(list)
        for name, value in rows:
            left[name].append(value)
        missing = []
        for _, name, value in want:
            name = shown(name)
            found = next((v for v in left[name] if near(v, value)), None)
            if found is None:
                missing.append((name, value))
            else:
                left[name].remove(found)
        largest = sorted((v for _, v in rows), reverse=True)[: len(want)]
        self.tally.check(not missing, f"{self.name}: {label}", missing[:5])
        self.tally.check(all(near(a, b[2]) for a, b in zip(largest, want)), f"{self.name}: {label} are the largest", largest, [w[2] for w in want])


def lexical(rows, value):
    """By place in the list: self with the loops that are in a loop, as the scope `function` has it."""
    sums = [value(r) for r in rows]
    for i, row in enumerate(rows):
        if row["kind"] != "loop":
            continue
        edge = None  # depth of a call: what is below it is no part of the loop
        for r in rows[i + 1:]:
            if r["depth"] <= row["depth"]:
                break
            if edge is not None and r["depth"] > edge:
                continue
            edge = r["depth"] if r["kind"] in FUNCTIONS or r["site"] is not None else None
            if edge is None and r["kind"] == "loop":
                sums[i] += value(r)
    return sums


def contexts(d):
    rows = d.ask("tree", "--contexts")
    d.holds([(r["name"], d.total(r)) for r in rows], d.facts["top_contexts_inclusive"], "contexts by total")
    sums = lexical(rows, d.self)
    d.holds([(r["name"], s) for r, s in zip(rows, sums)], d.facts["top_contexts_exclusive"], "contexts by self")
    d.tally.check(all(d.total(r) <= d.whole * MOST for r in rows), f"{d.name}: no context has more than the whole")
    hot = d.ask("tree", "--hot-path")
    want = d.facts["hot_path_50"]
    d.tally.equal([r["name"] for r in hot[: len(want)]], [shown(w[1]) for w in want], f"{d.name}: hot path")
    d.tally.check(all(near(d.total(r), w[2]) for r, w in zip(hot, want)), f"{d.name}: figures of the hot path")
    d.tally.check(len(hot) == len(want) or len(want) == 60, f"{d.name}: where the hot path ends", len(hot), len(want))
    return rows


def top_down(d, raw):
    """Call sites: the same functions and loops with the same figures; each line lost the calls that it made; and every cost is in one function."""
    rows = d.ask("tree")
    sums = [collections.defaultdict(list), collections.defaultdict(list)]
    for by, x in zip(sums, (rows, raw)):
        for r in x:
            if r["kind"] in ("function", "inlined", "entry", "loop"):
                by[r["name"], r["kind"], r["file"], r["line"], r["module"]].append((d.self(r), d.total(r)))
    wrong = [k for k in sums[1] if not all(near(math.fsum(x[i] for x in sums[0][k]), math.fsum(x[i] for x in sums[1][k])) for i in (0, 1))]
    d.tally.check(not wrong and sums[0].keys() == sums[1].keys(), f"{d.name}: functions and loops cost the same with call sites and without", wrong[:3])
    d.tally.check(all(near(d.self(r), d.total(r)) for r in rows if r["kind"] == "line"), f"{d.name}: a line is its own cost")
    functions = d.ask("tree", "--functions")
    spent = sum(d.self(r) for r in functions)
    roots = sum(d.total(r) for r in functions if r["depth"] == 1)
    d.tally.check(near(spent, roots), f"{d.name}: functions spend what the entries have", spent, roots)
    d.tally.check(near(spent, d.whole), f"{d.name}: functions spend the total", spent, d.whole)


def flat(d):
    rows, top = d.ask("tree", "--flat"), d.ask("top", "--limit", "0")
    keys = ("name", "file", "line", "module")
    listed = [[*(r[k] for k in keys), r["self"], r["total"], r["calls"]] for r in rows if r["kind"] == "function"]
    known = [[*(r[k] for k in keys), r["self"], r["total"], r["calls"]] for r in top]
    d.tally.equal(sorted(listed, key=str), sorted(known, key=str), f"{d.name}: functions of the flat view are those of top")
    over = [r for r in rows if d.total(r) > d.whole * MOST]
    d.tally.check(not over, f"{d.name}: no flat total above the whole", over[:2])
    by = collections.defaultdict(float)
    for r in rows:
        if r["kind"] == "file":
            by[r["file"] or "<none>"] += d.self(r)
    want = d.facts.get("files_self", [])
    d.tally.check(all(near(by[name], value) for name, value in want), f"{d.name}: files", [(w, by[w[0]]) for w in want if not near(by[w[0]], w[1])])
    modules = {r["module"] or "<none>": d.self(r) for r in rows if r["kind"] == "module"}
    want = d.facts.get("modules_self", [])
    d.tally.check(all(near(modules.get(n, 0), v) for n, v in want), f"{d.name}: modules", modules, want)
    lines = collections.defaultdict(float)
    for r in rows:
        if r["kind"] == "line":
            lines[r["file"], r["line"] or 0] += d.self(r)
    want = d.facts.get("lines_self", [])
    d.tally.check(all(near(lines[f, n], v) for f, n, v in want), f"{d.name}: lines", [(w, lines[w[0], w[1]]) for w in want][:5])
    largest = sorted(lines.values(), reverse=True)[: len(want)]
    d.tally.check(all(near(a, w[2]) for a, w in zip(largest, want)), f"{d.name}: those lines are the largest", largest, want)
    return top


def callers(d, top, entry):
    rows = d.ask("tree", "--bottom-up", "--depth", "1", "--limit", "0")
    keys = ("name", "file", "line", "module", "self", "total", "calls")
    d.tally.equal(sorted(([r[k] for k in keys] for r in rows), key=str), sorted(([r[k] for k in keys] for r in top), key=str), f"{d.name}: bottom-up begins with top")
    rows = d.ask("tree", "--bottom-up")
    d.tally.check(all(d.total(r) <= d.whole * MOST for r in rows), f"{d.name}: no bottom-up total above the whole")
    first = next((r for r in top if entry and [r[k] for k in ("name", "file", "module")] == [entry.get(k) for k in ("name", "file", "module")]), None)
    if not first:
        return
    rows = d.ask("tree", "--bottom-up", "--functions", "--function", first["name"], "--depth", "2", "--limit", "0")
    roots = [i for i, r in enumerate(rows) if r["depth"] == 1 and all(r[k] == first[k] for k in ("file", "line", "module"))]
    below = collections.defaultdict(float)
    spent = 0
    for r in rows[roots[0] + 1:]:
        if r["depth"] == 1:
            break
        below[r["name"]] += d.total(r)
        spent += d.total(r)
    d.tally.check(near(spent, d.total(first)), f"{d.name}: callers have the total of what they call", spent, d.total(first))
    want = {}
    for name, value, _ in d.facts["callers_of_top"]:
        want[name] = want.get(name, 0) + value
    if near(sum(want.values()), d.total(first)):  # not recursive: then every instance is an outermost one
        same = len(want) == len(below) and all(near(below.get(n, below.get(f"<{n}>", -1)), v) for n, v in want.items())
        d.tally.check(same, f"{d.name}: callers of {first['name']}", dict(below), want)
    else:
        more = {n: v for n, v in want.items() if below.get(n, below.get(f"<{n}>", 0)) > v * MOST}
        d.tally.check(not more, f"{d.name}: callers of a recursive function have no more than all its instances", more)


def main():
    tally = Tally()
    if not has_shared():
        tally.skip("tree", f"no shared data in {SHARED}")
        tally.finish()
    folder = SHARED / "data" / "hpcdb"
    for name, want in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
        if "facts" not in want or not want["facts"].get("main_metric"):
            continue
        with tempfile.TemporaryDirectory() as tmp:
            for archive in sorted(folder.glob(name)):
                with tarfile.open(archive) as t:
                    t.extractall(tmp)
            d = Database(tally, name, next(Path(tmp).iterdir()), want["facts"])
            top_down(d, contexts(d))
            callers(d, flat(d), want["top"][0] if want.get("top") else None)
    tally.finish()


if __name__ == "__main__":
    main()
