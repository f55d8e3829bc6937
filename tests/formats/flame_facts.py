#!/usr/bin/env python3
"""Stacks against what other programs and independent scripts say of the shared data: those of nytprofcalls; depth, roots and sums of Xdebug and webgrind
trees; figures of folded files; and what an estimate must keep. Skipped without the shared data."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, SKIP, Tally, assay, said  # noqa: E402

DATA = SHARED / "data"


def folded(tally, path, *options):
    """{stack as a tuple: cost} of the first metric, or None."""
    made = assay("convert", "--to", "folded", *options, path)
    if not tally.check(made.returncode == 0, f"{path.name}: stacks", said(made)):
        return None
    lines = (line.rpartition(" ") for line in made.stdout.decode(errors="replace").splitlines())
    return {tuple(stack.split(";")): int(cost) if cost.isdigit() else float(cost) for stack, _, cost in lines}


def figures(tally, path, *options):
    """The rows of flame --text: [(depth, name, total as text)]."""
    made = assay("flame", "--text", "--exact", "--min", "0", *options, path)
    if not tally.check(made.returncode == 0, f"{path.name}: flame --text", said(made)):
        return None
    rows = []
    for line in made.stdout.decode(errors="replace").splitlines():
        if "%" not in line[:7]:
            continue
        rest = line[line.index("%", line.index("%") + 1) + 1:].lstrip()
        value, _, rest = rest.partition("  ")
        name = rest[20:] if len(rest) > 20 else rest
        rows.append((len(name) - len(name.lstrip(" ")) - 1, name.strip(), value))
    return rows


def self_costs(stacks):
    sums = {}
    for stack, cost in stacks.items():
        sums[stack[-1]] = sums.get(stack[-1], 0) + cost
    return {name: cost for name, cost in sums.items() if cost}


def escaped(name):
    return name.replace(";", ":").replace("\n", " ").replace("\r", " ")


def listed(facts):
    """Self cost by name, of the functions that the facts list: the ten dearest."""
    metric, sums = facts["metrics"][0]["name"], {}
    for row in facts["top"]:
        sums[escaped(row["name"])] = sums.get(escaped(row["name"]), 0) + row["self"][metric]
    return sums


def known(facts, sums):
    return {name: sums.get(name, 0) for name in listed(facts)}


def check_nytprofcalls(tally):
    """Byte for byte. Called with --stable the program gives all evals the number 0, and so adds them up: those are compared as sums."""
    for path in sorted((DATA / "nytprof/derived").glob("*.calls")):
        source = DATA / "nytprof/real" / f"{path.stem}.nytprof"
        if "(eval 0)" not in path.read_text():
            tally.equal(assay("convert", "--to", "folded", source).stdout, path.read_bytes(), f"{path.name}: the bytes of nytprofcalls")
            continue
        sums = {}
        for stack, cost in (folded(tally, source) or {}).items():
            stable = ";".join(re.sub(r"\(eval \d+\)", "(eval 0)", frame) for frame in stack)
            sums[stable] = sums.get(stable, 0) + cost
        wanted = {stack: int(cost) for stack, _, cost in (line.rpartition(" ") for line in path.read_text().splitlines())}
        tally.equal(sums, wanted, f"{path.name}: the stacks of nytprofcalls")


def check_tree(tally, path, facts):
    """Depth, roots, sums by function and the whole, of a tree that the facts describe."""
    tree, metric = facts["facts"]["tree"], facts["metrics"][0]
    stacks, rows = folded(tally, path), figures(tally, path)
    if stacks is None or rows is None or tree.get("structure_mismatches"):
        return
    tally.equal(sum(stacks.values()), metric["total"], f"{path.name}: the sum of all stacks")
    tally.equal(known(facts, self_costs(stacks)), listed(facts), f"{path.name}: self of each function that is listed")
    tally.equal({s[0] for s in stacks} - {escaped(n) for n in tree["root_names"]}, set(), f"{path.name}: stacks begin with its roots")
    if tree["max_depth"] < 50:  # deeper rows are not indented any more
        tally.equal(max(depth for depth, _, _ in rows), tree["max_depth"], f"{path.name}: how deep the boxes stand")
    tally.equal({name for depth, name, _ in rows if depth == 1} - {escaped(n) for n in tree["root_names"]}, set(), f"{path.name}: boxes of roots")


def check_trees(tally):
    checked = 0
    for area in ("callgrind", "webgrind"):
        for name, facts in json.loads((DATA / area / "expected.json").read_text()).items():
            path = DATA / area / name
            if facts.get("ok") and (facts.get("facts") or {}).get("tree") and facts.get("top") and path.exists() and facts.get("version") in ("1", "4", ""):
                check_tree(tally, path, facts)
                checked += 1
    tally.check(checked >= 12, "trees of both areas were looked at", checked)


def check_folded(tally):
    expected = json.loads((DATA / "exchange/folded/expected.json").read_text())
    for name, facts in expected.items():
        path = DATA / "exchange/folded" / name
        if not facts["ok"] or len(facts["metrics"]) != 1:
            continue
        stacks = folded(tally, path)
        if stacks is None:
            continue
        close = abs(sum(stacks.values()) - facts["metrics"][0]["total"]) <= 1e-6 * facts["metrics"][0]["total"]
        tally.check(close, f"{name}: the sum of all stacks", sum(stacks.values()), facts["metrics"][0]["total"])
        tally.check(len(stacks) <= facts["counts"]["stacks"], f"{name}: not more stacks than in the file", len(stacks))


def check_estimates(tally):
    """Of a call graph that was made of exact stacks, the estimate has the same self cost for each function and the same whole."""
    graphs = 0
    for name in ("gen", "proxy", "recurse", "shop", "many"):
        exact = next(p for p in (DATA / "callgrind" / f"{name}.xdebug", DATA / "callgrind" / f"{name}.xdebug.gz") if p.exists())
        graph = next((DATA / "webgrind").glob(f"{name}.xdebug.v7cpp*"), None)
        if graph is None:
            continue
        stacks, guess = folded(tally, exact), folded(tally, graph, "--estimate")
        if stacks is None or guess is None:
            continue
        facts = json.loads((DATA / "webgrind/expected.json").read_text()).get(graph.name)
        tally.equal(known(facts, self_costs(guess)), listed(facts), f"{graph.name}: self of each function that is listed, estimated")
        tally.equal(self_costs(guess), self_costs(stacks), f"{graph.name}: self of all functions, as exact stacks have it")
        tally.equal(sum(guess.values()), facts["metrics"][0]["total"], f"{graph.name}: the sum of the estimate")
        graphs += 1
    tally.check(graphs >= 3, "estimates were looked at", graphs)


def check_bottom_up(tally):
    """Functions and their callers, against the stacks turned round."""
    for path in (DATA / "callgrind/shop.xdebug", DATA / "callgrind/recurse.xdebug", DATA / "exchange/folded/crew.folded", DATA / "nytprof/real/recur-raw-calls2.nytprof"):
        stacks, rows = folded(tally, path), figures(tally, path, "--bottom-up")
        if stacks is None or rows is None:
            continue
        wanted, seen, open_names = {}, {}, []
        for stack, cost in stacks.items():
            for end in range(1, len(stack) + 1):
                key = tuple(escaped(name) for name in stack[::-1][:end])
                wanted[key] = wanted.get(key, 0) + cost
        for depth, name, value in rows[1:]:
            open_names[depth - 1:] = [escaped(name)]
            seen[tuple(open_names)] = seen.get(tuple(open_names), 0) + float(value)
        tally.equal(seen, {key: float(cost) for key, cost in wanted.items()}, f"{path.name}: bottom-up")


def main():
    if not (DATA / "nytprof/derived").is_dir():
        print("skipped: no shared data")
        sys.exit(SKIP)
    tally = Tally()
    check_nytprofcalls(tally)
    check_trees(tally)
    check_folded(tally)
    check_estimates(tally)
    check_bottom_up(tally)
    tally.finish()


if __name__ == "__main__":
    main()
