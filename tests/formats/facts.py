#!/usr/bin/env python3
"""The command and the model against facts that independent tools computed.

  facts.py MODEL_FACTS AREA

AREA is an area of the shared data. Its tools/check-facts.py compares what the command says of every file; all cases must pass and every
broken file must be named with its rule and place. What no verb shows (calling contexts, headers of each part) comes from the program
MODEL_FACTS (model_facts.c) and is compared with the `facts` of expected.json here.
"""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, check_facts, has_shared, run, said  # noqa: E402


def all_cases(tally, area):
    result = check_facts(area)
    text = result.stdout.decode("utf-8", "replace")
    cases = re.search(r"(\d+) of (\d+) cases pass", text)
    placed = re.search(r"(\d+) of (\d+) broken files named", text)
    if not tally.check(cases and placed, f"check-facts {area}", text[-500:], said(result)):
        return
    for label, match in (("cases", cases), ("broken files named with rule and place", placed)):
        good, total = map(int, match.groups())
        tally.add(good, total - good)
        if good < total:
            print(f"FAILED {area}: {good} of {total} {label}\n{text[-4000:]}")


def numbers(text):
    return [int(n, 0) for n in text.split()]


def by_stream(model, key):
    """The values of an attribute, one for each part, None where the part has none."""
    found = {stream: value for stream, name, value in model["attributes"] if name == key}
    if set(found) <= {0}:
        return [found.get(0)]
    return [found.get(stream) for stream in range(1, model["streams"] + 1)]


def padded(values, count):
    return values and values + [0] * (count - len(values))


def callgrind_facts(tally, name, want, model):
    facts = want["facts"]
    width = len(want["metrics"])
    for key in ("summary", "totals"):
        got = [v and padded(numbers(v), width) for v in by_stream(model, key)]
        parts = [v and padded(v, width) for v in facts[key]]
        got += [None] * (len(parts) - len(got))
        tally.equal(got, parts, f"{name}: {key} of each part")
    for key in ("creator", "cmd", "positions"):
        first = next((v for s, k, v in model["attributes"] if k == key), None)
        default = "line" if key == "positions" else None
        tally.equal((first or "").strip() or default, facts.get(key) or default, f"{name}: {key}")


def webgrind_facts(tally, name, want, model):
    headers = [f"{key}: {value}" for _, key, value in model["attributes"]]
    tally.equal(headers, want["facts"]["headers"], f"{name}: headers in order")


def tree_facts(tally, name, want, model):
    tree = want["facts"]["tree"]
    tally.check(model["is_whole"] or not tree["invocations"], f"{name}: a node for each invocation")
    for key in ("invocations", "roots", "max_depth"):
        tally.equal(model[key], tree[key], f"{name}: {key} of the tree")
    tally.equal(model["root_names"][:len(tree["root_names"])], tree["root_names"], f"{name}: roots of the tree")


def exact_totals(tally, name, want, model):
    rows = {(r["name"], r["file"]): r for r in model["top"]}
    for r in want["top"]:
        if "total_graph" not in r:
            continue
        got = rows.get((r["name"], r["file"]))
        tally.equal(got and got["total"], r["total"], f"{name}: exact total of {r['name']}")
        tally.equal(got and got["self"], r["self"], f"{name}: self of {r['name']}")


def model_facts(tally, program, area):
    folder = SHARED / "data" / area
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    for name, want in expected.items():
        if "facts" not in want:
            continue
        result = run(program, folder / name)
        if not tally.check(result.returncode == 0, f"{name}: the model reads it", said(result)):
            continue
        model = json.loads(result.stdout)
        (callgrind_facts if area == "callgrind" else webgrind_facts)(tally, name, want, model)
        if "tree" in want["facts"]:
            tree_facts(tally, name, want, model)
            exact_totals(tally, name, want, model)


def main():
    program, area = sys.argv[1:3]
    tally = Tally()
    if not has_shared():
        tally.skip(area, f"no shared data in {SHARED}")
        tally.finish()
    all_cases(tally, area)
    model_facts(tally, program, area)
    tally.finish()


if __name__ == "__main__":
    main()
