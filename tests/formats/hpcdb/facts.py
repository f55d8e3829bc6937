#!/usr/bin/env python3
"""Databases against facts that independent tools computed.

  facts.py DB_FACTS

check-facts.py of the shared data compares what the command says of every database, those beside measurements included. What no verb shows
(tuples, samples, contexts, single values) comes from the program DB_FACTS (db_facts.c) and is compared with the `facts` of expected.json here.
"""
import collections
import json
import math
import re
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import SHARED, Tally, assay, check_facts, has_shared, run, said  # noqa: E402

ENTRY, LOOP, LINE, INSTRUCTION, OTHER = 1, 3, 4, 5, 6  # enum assay_node_kind
LEXICAL = {0: 0, 2: 0, LOOP: 1, LINE: 2, INSTRUCTION: 3}
NO_PLACE = 1
RELATION_OTHER = 3
Node = collections.namedtuple("Node", "ctx parent kind relation flags function function_flags file line module offset")


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def all_cases(tally):
    for area, only, label in (("hpcdb", [], "databases"), ("hpcrun", ["--only", ".d"], "databases of the demo")):
        result = check_facts(area, *only)
        text = result.stdout.decode("utf-8", "replace")
        for match in re.finditer(r"(\d+) of (\d+) (cases pass|broken files named)", text):
            good, total = int(match.group(1)), int(match.group(2))
            tally.add(good, total - good)
        tally.check(result.returncode == 0, f"check-facts {area}: {label}", text[-3000:])
    result = check_facts(SHARED / "data" / "hpcrun" / "meas")
    wrong = [line for line in result.stdout.decode("utf-8", "replace").split("\n") if line.endswith(".d:")]
    tally.equal(wrong, [], "check-facts: databases beside measurements")


def place(node):
    if node.kind == ENTRY:
        return f"<{node.function}>"
    if node.function:
        return node.function
    if node.kind == OTHER:
        return "<other>"
    if node.kind == LOOP:
        return f"loop at {node.file}:{node.line}"
    return f"{node.file}:{node.line}" if node.kind == LINE else f"{node.module}+0x{node.offset:x}"


def path_of(nodes, ctx):
    path = []
    while ctx:
        path.append(place(nodes[ctx]))
        ctx = nodes[ctx].parent
    return path[::-1]


def depths(nodes):
    """Parents stand before their children."""
    depth = {0: 0}
    for n in nodes.values():
        depth[n.ctx] = depth[n.parent] + 1
    return depth


def tree_facts(tally, name, facts, nodes):
    inner = [n for n in nodes.values() if n.kind != ENTRY]
    tally.equal(max(depths(nodes).values()), facts["max_depth"], f"{name}: depth")
    want = collections.Counter()
    for kind, count in facts["by_lexical_type"].items():
        want[int(kind) if int(kind) < 4 else OTHER] += count
    tally.equal(collections.Counter(LEXICAL.get(n.kind, OTHER) for n in inner), want, f"{name}: contexts by lexical type")
    want = collections.Counter()
    for relation, count in facts["by_relation"].items():
        want[min(int(relation), RELATION_OTHER)] += count
    tally.equal(collections.Counter(n.relation for n in inner), want, f"{name}: contexts by relation")
    entries = [[n.function_flags, n.function, n.ctx] for n in nodes.values() if n.kind == ENTRY]
    tally.equal(entries, facts["entry_points"], f"{name}: entry points")


def value_facts(tally, name, facts, model, nodes):
    for key, total in facts["sums"].items():
        tally.check(near(model["sums"].get(key, 0), total), f"{name}: sum of {key}", model["sums"].get(key), total)
    for (profile, ctx, path, key, value), got in zip(facts["spot"], model["answers"]):
        tally.check(near(got, value), f"{name}: {key} of context {ctx} in profile {profile}", got, value)
        if len(path) < 64 and ctx in nodes and depths(nodes)[ctx] < 64:
            known = [re.sub(r"^<lexical type \d+>$", "<other>", step) for step in path]  # the model keeps no number of an unknown type
            tally.equal(path_of(nodes, ctx), known, f"{name}: path of context {ctx}")


def trace_facts(tally, name, facts, model):
    trace = facts.get("trace")
    if not trace:
        return
    events = model["events"]
    tally.equal(model["attributes"].get("trace.min"), str(trace["min"]), f"{name}: minTimestamp")
    tally.equal(model["attributes"].get("trace.max"), str(trace["max"]), f"{name}: maxTimestamp")
    tally.equal(len({e[0] for e in events}), trace["nonempty"], f"{name}: lines with samples")
    tally.equal(sum(e[2] == 0 for e in events), trace["idle_samples"], f"{name}: idle samples")
    tally.equal(sum(e[2] for e in events), trace["sum_of_ctxids"], f"{name}: sum of contexts")
    if events and trace.get("first"):
        first = [e for e in events if e[0] == trace["first"][0]]
        tally.equal(first[0], trace["first"], f"{name}: first sample")
        tally.equal(first[-1], trace["last"], f"{name}: last sample")


def database(tally, program, name, want, folder):
    facts = want["facts"]
    questions = ["%d:%d:%s" % (profile, ctx, key) for profile, ctx, _, key, _ in facts["spot"]]
    result = run(program, folder, *questions)
    if not tally.check(result.returncode == 0, f"{name}: the model reads it, strictly", said(result)):
        return
    model = json.loads(result.stdout)
    every = [Node(*row) for row in model["nodes"]]
    nodes = {n.ctx: n for n in every if not n.flags & NO_PLACE}
    attributes = model["attributes"]
    tally.equal(attributes.get("title"), facts["title"], f"{name}: title")
    tally.equal([attributes.get(f"id-kind.{i}") for i in range(len(facts["id_kinds"]))], facts["id_kinds"], f"{name}: kinds")
    scopes = [[k[6:], *map(int, re.findall(r"\d+", v))] for k, v in attributes.items() if k.startswith("scope.")]
    tally.equal(scopes, facts["scopes"], f"{name}: scopes")
    tally.equal(sorted(set(model["stats"])), sorted(facts["summary_stats"]), f"{name}: statistics")
    tally.equal(model["copied"], facts["copied_files"], f"{name}: copied files")
    tally.equal(model["streams"][:3], facts["first_profiles"], f"{name}: id tuples")
    tally.equal("metrics/default.yaml" in attributes, "default_yaml" in facts, f"{name}: default.yaml")
    info = json.loads(assay("info", "--json", folder).stdout)["files"][0]
    tally.equal(info["counts"]["distinct_functions"], facts["distinct_functions"], f"{name}: distinct functions")
    tree_facts(tally, name, facts, nodes)
    value_facts(tally, name, facts, model, nodes)
    trace_facts(tally, name, facts, model)
    check = assay("check", "--deep", "--json", folder)
    tally.equal(json.loads(check.stdout)["files"][0]["errors"], 0, f"{name}: no error")
    deep = [f for f in json.loads(check.stdout)["files"][0]["findings"] if f["severity"] == "warning"]
    tally.equal({f["rule"] for f in deep}, {r for r in ("H078", "H168") if r in want.get("check", {})}, f"{name}: warnings of check --deep")


def demo(tally, program):
    """Databases that the original made of the demo."""
    folder = SHARED / "data" / "hpcrun" / "demo"
    for name, want in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
        if not name.endswith(".d"):
            continue
        facts = want["facts"]
        model = json.loads(run(program, folder / name).stdout)
        nodes = [Node(*row) for row in model["nodes"]]
        words = {0: "function", 2: "function", ENTRY: "entry", LOOP: "loop", LINE: "line", INSTRUCTION: "instruction"}
        tally.equal(collections.Counter(words[n.kind] for n in nodes if not n.flags & NO_PLACE), collections.Counter(facts["lexical"]), f"{name}: contexts by type")
        kinds = [v for k, v in sorted(model["attributes"].items()) if k.startswith("id-kind.")]
        streams = [[f"{kinds.index(k)}:{logical}:{physical}" for k, logical, physical, _ in s] for s in model["streams"]]
        tally.equal(sorted(streams), sorted(facts["streams"]), f"{name}: id tuples")
        tally.equal(sorted(n.function for n in nodes if n.kind == ENTRY), sorted(facts["entry_points"]), f"{name}: entry points")
        tally.equal([model["attributes"]["trace.min"], model["attributes"]["trace.max"]], [str(t) for t in facts["trace_range"]], f"{name}: range of traces")
        info = json.loads(assay("info", "--json", folder / name).stdout)["files"][0]
        tally.equal(info["counts"]["all_contexts_with_values"], facts["all_contexts_with_values"], f"{name}: contexts with values")


def main():
    program = sys.argv[1]
    tally = Tally()
    if not has_shared():
        tally.skip("hpcdb", f"no shared data in {SHARED}")
        tally.finish()
    all_cases(tally)
    folder = SHARED / "data" / "hpcdb"
    for name, want in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
        if "facts" not in want:
            continue
        with tempfile.TemporaryDirectory() as tmp:
            for archive in sorted(folder.glob(name)):
                with tarfile.open(archive) as t:
                    t.extractall(tmp)
            database(tally, program, name, want, next(Path(tmp).iterdir()))
    demo(tally, program)
    tally.finish()


if __name__ == "__main__":
    main()
