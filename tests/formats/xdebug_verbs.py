#!/usr/bin/env python3
"""Every command and every export tells the same total of a function of Xdebug text: the one that an independent reading of the calls and blocks gives."""
import csv
import io
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, Tally, assay, said  # noqa: E402
from xdebug_totals import blocks_of, exact, wild, write  # noqa: E402


def ask(tally, *args):
    result = assay(*args)
    tally.check(result.returncode == 0, f"{args[0]} answers", said(result))
    return result.stdout.decode("utf-8", "surrogateescape")


def first(figures):
    return next(iter(figures.values()))


def totals_of(rows):
    return {(r["file"], r["name"]): first(r["total"]) for r in rows}


def tables(tally, path):
    """What is told of every function, by the command that tells it."""
    yield "top", totals_of(json.loads(ask(tally, "top", "--json", "--limit", "0", path))["rows"])
    yield "callers", totals_of(json.loads(ask(tally, "callers", "--json", "--limit", "0", "--", ".", path))["rows"])
    yield "tree --bottom-up", totals_of(json.loads(ask(tally, "tree", "--bottom-up", "--depth", "1", "--limit", "0", "--json", path))["rows"])
    rows = json.loads(ask(tally, "tree", "--flat", "--functions", "--json", path))["rows"]
    yield "tree --flat", totals_of([r for r in rows if r["kind"] == "function"])
    for command in (("top", "--csv", "--limit", "0"), ("top", "--csv-raw", "--limit", "0"), ("convert", "--to", "csv", "-o", "-")):
        rows = csv.DictReader(io.StringIO(ask(tally, *command, path)))
        yield " ".join(command), {(r["file"], r["function"]): int(r["total"]) for r in rows}


def filtered(tally, label, path):
    """A filter leaves parts of stacks, so totals are sums of self, without what Xdebug rounded when it charged the callers."""
    blocks, open_costs = [], []
    for func, cost, callees, costs in blocks_of(path):
        rest = len(open_costs) - len(callees)
        kids = open_costs[rest:]
        blocks.append([func, cost - sum(costs) + sum(kids), callees, kids])
        open_costs[rest:] = [blocks[-1][1]]
    rows = json.loads(ask(tally, "top", "--json", "--limit", "0", "--focus", ".", path))["rows"]
    tally.equal(totals_of(rows), dict(exact(blocks)[0]), f"{label}: top with a filter")


def differences(tally, path, folder, want):
    """Of a file and the same run twice."""
    twice = folder / "twice.xdebug"
    twice.write_bytes(path.read_bytes() * 2)
    rows = json.loads(ask(tally, "diff", "--json", "--limit", "0", path, twice))["rows"]
    for side, times in (("before", 1), ("after", 2)):
        got = {(r["file"], r["name"]): first(r[side]["total"]) for r in rows}
        tally.equal(got, {f: want[f] * times for f in got}, f"diff, {side}")
    tally.check(len(rows) >= len([f for f in want if want[f]]), "diff: every function that costs something")


def share(total, whole):
    return f"{100 * total / whole:.2f}"


def pictures(tally, path, want, whole):
    """Only shares are exact enough in a picture. Names are of one file here, or else told apart by the tooltip."""
    expected = {name: share(total, whole) for (_, name), total in want.items()}
    for kind, total in (("dot", r'label="(?P<name>[^"]*?)\\nself [^"]*?total [^"(]*\((?P<share>[\d.]+)%\)'),
                        ("mermaid", r'\["(?P<name>[^"<]*)<br/?>self [^"]*?total [^"(]*\((?P<share>[\d.]+)%\)')):
        text = re.sub(r"#(\d+);", lambda m: chr(int(m[1])), ask(tally, "convert", "--to", kind, "-o", "-", "--min", "0", path))
        got = {m["name"]: m["share"] for m in re.finditer(total, text) if m["name"] in expected}
        tally.check(got, f"{kind}: functions are found", text[:400])
        tally.equal(got, {name: expected[name] for name in got}, f"{kind}: shares of totals")


def groups(tally, path):
    """Files as the flat view and `top --by file` have them."""
    flat = json.loads(ask(tally, "tree", "--flat", "--functions", "--json", path))["rows"]
    rows = json.loads(ask(tally, "top", "--by", "file", "--json", "--limit", "0", path))["rows"]
    tally.equal({r["name"]: first(r["total"]) for r in flat if r["kind"] == "file"}, {r["name"]: first(r["total"]) for r in rows}, "totals of files")


def examine(tally, label, path, folder):
    want = dict(exact(blocks_of(path))[0])
    for verb, got in tables(tally, path):
        tally.equal(got, want, f"{label}: {verb}")
    filtered(tally, label, path)
    differences(tally, path, folder, want)
    whole = json.loads(ask(tally, "top", "--json", path))["total"]
    pictures(tally, path, want, whole)
    groups(tally, path)


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for fixture in ("demo.xdebug", "demo2.xdebug"):
            examine(tally, fixture, FIXTURES / fixture, folder)
        for seed, count, functions in ((5, 300, 4), (6, 3000, 30)):
            write(folder / "text.xdebug", wild(seed, count, functions))
            examine(tally, f"random {seed}", folder / "text.xdebug", folder)
    tally.finish()


if __name__ == "__main__":
    main()
