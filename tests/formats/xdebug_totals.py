#!/usr/bin/env python3
"""`top` and `callers` of Xdebug text against an independent reading of it: self, total and invocations of every function, and each call.

The reader here walks the blocks backwards, where a caller comes before what it called: an invocation counts when no other one of its function is open, a
call when no other one of its pair is. Texts are the fixtures, and generated ones: deep and mutual recursion, and loops so long that assay forgets
what was open in them.
"""
import json
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, Tally, assay, said  # noqa: E402


# ---- the other reading ----

def named(table, text):
    fields = re.match(r"\((\d+)\)(?: (.*))?$", text)
    if not fields:
        return text
    if fields[2] is not None:
        table[fields[1]] = fields[2]
    return table[fields[1]]


def blocks_of(path):
    """[(file, function), first cost of itself and its calls, callees, what these cost]"""
    names, files, blocks = {}, {}, []
    file = callee = callee_file = None
    is_call = False
    for line in path.read_text(encoding="latin-1").split("\n"):
        key, _, rest = line.partition("=")
        if key == "fl":
            file = named(files, rest)
        elif key == "fn":
            blocks.append([(file, named(names, rest)), 0, [], []])
        elif key == "cfl":
            callee_file = named(files, rest)
        elif key == "cfn":
            callee = named(names, rest)
        elif key == "calls":
            is_call = True
        elif line[:1].isdigit() and blocks:
            cost = int(line.split()[1])
            blocks[-1][1] += cost
            if is_call:
                blocks[-1][2].append((callee_file, callee))
                blocks[-1][3].append(cost)
            is_call = False
    return blocks


def exact(blocks):
    total, entered, pairs, open_funcs, open_pairs, stack = Counter(), Counter(), Counter(), Counter(), Counter(), []
    for func, cost, callees, costs in reversed(blocks):
        while stack and not stack[-1][1]:
            done = stack.pop()
            open_funcs[done[0]] -= 1
            open_pairs[done[4]] -= 1
        pair = None
        if stack:
            above = stack[-1]
            above[1] -= 1
            pair = (above[0], func)
            if above[2][above[1]] != func:
                return None
            pairs[pair] += 0 if open_pairs[pair] else above[3][above[1]]
        total[func] += 0 if open_funcs[func] else cost
        entered[func] += 1
        open_funcs[func] += 1
        open_pairs[pair] += 1
        stack.append([func, len(callees), callees, costs, pair])
    return total, entered, pairs


# ---- texts ----

def write(path, blocks):
    text = ["version: 1", "creator: xdebug 3.2.0 (PHP 8.2.0)", "cmd: /app.php", "part: 1", "positions: line", "", "events: Time_(10ns) Memory_(bytes)", ""]
    for name, cost, calls in blocks:
        text += ["fl=/app.php", f"fn={name}", f"1 {cost} 0"]
        for callee, charged in calls:
            text += ["cfl=/app.php", f"cfn={callee}", "calls=1 0 0", f"{len(callee)} {charged} 0"]
        text.append("")
    path.write_text("\n".join(text + ["summary: 1 0", ""]), encoding="latin-1")


def wild(seed, count, functions):
    """Blocks that claim a random number of those before them, rounded costs and all."""
    dice = random.Random(seed)
    blocks, unclaimed = [], []
    for i in range(count):
        kids = dice.choice((0, 0, 0, 1, 1, 2, 3, 9)) if i < count - 1 else len(unclaimed)
        taken = unclaimed[max(len(unclaimed) - kids, 0):] if kids else []
        del unclaimed[len(unclaimed) - len(taken):]
        calls = [(name, max(cost + dice.choice((-1, 0, 0, 1)), 0)) for name, cost in taken]
        name = f"f{dice.randrange(functions)}" if i < count - 1 else "{main}"
        own = dice.randrange(50)
        blocks.append((name, own, calls))
        unclaimed.append((name, own + sum(cost for _, cost in calls)))
    return blocks


def loop(rounds):
    """A recursive worker in a long loop: more is open than assay keeps apart, but no claim begins inside of it."""
    blocks, calls = [], []
    for i in range(rounds):
        other = f"helper{i % 97}"
        blocks += [("work", 3, []), (other, 2, [("work", 3)]), ("work", 5, [(other, 5)])]
        calls.append(("work", 10))
    return blocks + [("{main}", 7, calls)]


def split(rounds):
    """All but the first quarter of the loop is inside a function that was also called in that quarter: what may have been joined is claimed in part."""
    calls = [(("late", 1) if i % 2 else (f"x{i % 9}", 1)) for i in range(rounds)]
    blocks = [(name, cost, []) for name, cost in calls]
    inside = calls[rounds // 4:]
    return blocks + [("late", 1, inside), ("{main}", 1, calls[:rounds // 4] + [("late", 1 + len(inside))])]


# ---- comparison ----

def compare(tally, label, path, functions):
    known = exact(blocks_of(path))
    tally.check(known is not None, f"{label}: calls and blocks match")
    if not known:
        return
    total, entered, pairs = known
    result = assay("top", "--json", "--limit", "0", path)
    rows = json.loads(result.stdout)["rows"] if result.returncode == 0 else []
    tally.equal(result.stderr, b"", f"{label}: nothing to complain about")
    got = {(r["file"], r["name"]): [list(r["total"].values())[0], r["calls"]] for r in rows}
    tally.equal(got, {f: [total[f], entered[f]] for f in total}, f"{label}: total and invocations of each function")
    by_total = sorted({caller for caller, _ in pairs}, key=lambda f: (-total[f], f))[:functions]
    for func in by_total:
        answer = json.loads(assay("callers", "--json", "--limit", "0", "--", func[1], path).stdout)
        for row in answer["rows"]:
            if (row["file"], row["name"]) != func:
                continue
            got = {(r["file"], r["name"]): list(r["total"].values())[0] for r in row["callees"]}
            tally.equal(got, {callee: cost for (caller, callee), cost in pairs.items() if caller == func}, f"{label}: calls of {func[1]}")


def main():
    tally = Tally()
    for name in ("demo.xdebug", "demo2.xdebug"):
        compare(tally, name, FIXTURES / name, 20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.xdebug"
        for seed, count, functions in ((1, 40, 3), (2, 500, 5), (3, 5000, 40), (4, 60000, 900)):
            write(path, wild(seed, count, functions))
            compare(tally, f"random {seed}", path, 12)
        write(path, loop(60000))
        compare(tally, "a long loop", path, 5)
        write(path, split(160000))
        compare(tally, "a loop that is claimed in part", path, 5)
        tally.equal(said(assay("top", path)), "exit 0: ", "CG32: what is known is not called in question")
        write(path, split(320000))
        result = assay("top", path)
        tally.check("count some calls twice" in said(result), "CG32: what is no longer known is said", said(result)[-300:])
    tally.finish()


if __name__ == "__main__":
    main()
