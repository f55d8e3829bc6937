#!/usr/bin/env python3
"""The recipes of docs/python.md are run as they stand: hatchet (with stand-ins for its classes), coverage.py, pytest; and the coverage store.

What is expected of hatchet's classes is what their documentation and sources say: Frame(name=..., type=...), Node(frame, parent) with add_child, Graph(roots) whose
enumerate_traverse() gives nodes the numbers that they are compared by, GraphFrame(graph, dataframe, exc_metrics, inc_metrics, default_metric) whose dataframe is
indexed by "node".
"""
import json
import os
import re
import shutil
import sys
import tempfile
import types
from pathlib import Path

from bindings import EXAMPLES, assay, has
from support import SOURCE, Tally, run, said

PAGE = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")


def recipe(name):
    return re.search(rf"<!-- recipe: {name} -->\n```python\n(.*?)^```$", PAGE, re.M | re.S).group(1)


# ---- hatchet ----

class Frame:
    def __init__(self, attrs=None, **more):
        self.attrs = {**(attrs or {}), **more}


class Node:
    def __init__(self, frame_obj, parent=None, hnid=-1, depth=-1):
        self.frame, self.parents, self.children, self.number = frame_obj, [parent] if parent is not None else [], [], hnid

    def add_child(self, node):
        assert isinstance(node, Node)
        self.children.append(node)

    def __hash__(self):
        return self.number

    def __eq__(self, other):
        return self.number == other.number

    def __lt__(self, other):
        return self.number < other.number


class Graph:
    def __init__(self, roots):
        assert roots is not None
        self.roots = roots

    def traverse(self):
        left = list(reversed(self.roots))
        while left:
            node = left.pop()
            yield node
            left += reversed(node.children)

    def enumerate_traverse(self):
        for number, node in enumerate(self.traverse()):
            node.number = number


class GraphFrame:
    def __init__(self, graph, dataframe, exc_metrics=None, inc_metrics=None, default_metric="time", metadata=None):
        assert "node" in list(dataframe.index.names)
        self.graph, self.dataframe, self.exc_metrics, self.inc_metrics, self.default_metric = graph, dataframe, exc_metrics, inc_metrics, default_metric


def hatchet(tally):
    if not has("pandas"):
        return tally.skip("hatchet", "no pandas")
    if not has("hatchet"):
        package = types.ModuleType("hatchet")
        package.GraphFrame = GraphFrame
        sys.modules["hatchet"] = package
        for name, kind in (("frame", Frame), ("node", Node), ("graph", Graph)):
            sys.modules[f"hatchet.{name}"] = module = types.ModuleType(f"hatchet.{name}")
            setattr(module, kind.__name__, kind)
    space = {}
    exec(recipe("hatchet"), space)
    gf = space["graphframe"](assay.read(EXAMPLES["STACKS"]))
    tally.equal((gf.exc_metrics, gf.inc_metrics, gf.default_metric), (["samples"], ["samples (inc)"], "samples"), "hatchet: the metrics")
    nodes = list(gf.graph.traverse())
    folded = {}
    for line in EXAMPLES["STACKS"].read_text().splitlines():
        stack, _, cost = line.rpartition(" ")
        folded[stack] = folded.get(stack, 0) + int(cost)
    got = {}
    for node in nodes:
        names, at = [], node
        while at is not None:
            names.append(at.frame.attrs["name"])
            at = at.parents[0] if at.parents else None
        if gf.dataframe.loc[node, "samples"]:
            got[";".join(reversed(names))] = int(gf.dataframe.loc[node, "samples"])
    tally.equal(got, folded, "hatchet: stacks and their samples are those of the file")
    tally.equal(int(gf.dataframe.loc[gf.graph.roots[0], "samples (inc)"]), sum(folded.values()), "hatchet: the root has all of them")


# ---- coverage.py ----

def covered(tally, tmp):
    if not has("coverage"):
        return tally.skip("coverage.py", "not installed")
    (tmp / "app.py").write_text("def f(x):\n    if x:\n        return 1\n    return 2\n\n\nprint(f(1))\n")
    env = {**os.environ, "COVERAGE_FILE": str(tmp / ".coverage")}
    for args in (["run", "app.py"], ["json", "-q", "-o", "report.json"]):
        result = run(sys.executable, "-m", "coverage", *args, cwd=tmp, env=env)
        tally.check(result.returncode == 0, f"coverage {args[0]}", said(result))
    space = {}
    exec(recipe("coverage"), space)
    mine = space["from_coverage"](str(tmp / ".coverage")).coverage()
    report = json.loads((tmp / "report.json").read_text())["totals"]
    tally.equal((mine.about["total"]["lines"], mine.about["total"]["lines_hit"]), (report["num_statements"], report["covered_lines"]), "coverage.py: the totals of its own report")
    tally.equal((mine["missing"].tolist(), Path(mine["path"][0]).name), (["4"], "app.py"), "coverage.py: the missed line")
    theirs = assay.read(tmp / "report.json").coverage()
    tally.equal(theirs["missing"].tolist(), ["4"], "coverage.py: its report says the same")


# ---- pytest ----

def tested(tally, tmp):
    if not has("pytest"):
        return tally.skip("pytest", "not installed")
    case = re.search(r"^```python\n(def test_each_item.*?)^```$", PAGE, re.M | re.S).group(1)
    (tmp / "conftest.py").write_text(recipe("pytest"))
    (tmp / "items.txt").write_text("1\n2\n3\n")
    (tmp / "test_items.py").write_text("def parse(line):\n    return int(line)\n\n\ndef load(path):\n    return [parse(line) for line in open(path)]\n\n\n" + case)
    env = {**os.environ, "PYTHONPATH": str(SOURCE / "python")}
    result = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp, cwd=tmp, env=env)
    tally.check(result.returncode == 0 and b"1 passed" in result.stdout, "pytest: the test passes", result.stdout.decode()[-1500:])
    (tmp / "test_items.py").write_text((tmp / "test_items.py").read_text().replace("== 3", "== 4"))
    result = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp, cwd=tmp, env=env)
    tally.check(result.returncode == 1 and b"1 failed" in result.stdout, "pytest: and fails when it should", result.stdout.decode()[-1500:])


# ---- the coverage store ----

def store(tally, tmp):
    if not shutil.which("git") or not any("libgit2" in name for name in assay.libraries()):
        return tally.skip("the coverage store", "no git")
    git = ["git", "-C", tmp, "-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    (tmp / "a.c").write_text("1\n2\n3\n4\n")
    for words in (["init", "-q", "-b", "main"], ["add", "a.c"], ["commit", "-q", "-m", "first"]):
        tally.check(run(*git, *words).returncode == 0, f"git {words[0]}")
    commit = run(*git, "rev-parse", "HEAD").stdout.decode().strip()
    (tmp / "one.info").write_text("SF:a.c\nDA:1,2\nDA:2,0\nDA:3,1\nDA:4,1\nend_of_record\n")
    with assay.Store.create(tmp) as made:
        first = made.add([tmp / "one.info"], commit=commit)
        tally.equal((first.files, first.parent, first.reference), (1, None, "refs/heads/main"), "store: the first report")
        again = made.add([assay.read(tmp / "one.info")])
        tally.equal(again.report, None, "store: the same report is not stored twice")
        b = assay.build(want="coverage")
        b.cover("a.c", [1, 2, 3, 4], [1, 1, 1, 1])
        second = made.add([b.seal("built")])
        tally.equal(second.parent, first.report, "store: a report that was built in memory")
        log = made.log()
        tally.equal([(r.commit, r.lines_hit, r.lines) for r in log], [(commit, 4, 4), (commit, 3, 4)], "store: the log")
        tally.equal((made.branch, made.refs(), made.resolve("HEAD~1")), ("main", {"main": second.report}, first.report), "store: branches and revisions")
        made.set_ref("tag", "good", "HEAD")
        tally.equal(list(made.refs("tag")), ["good"], "store: a tag")
        made.remove_ref("tag", "good")
        before, now = made.profile("HEAD~1"), made.profile()
        tally.equal((before.coverage()["missing"].tolist(), now.coverage()["missing"].tolist()), (["2"], [""]), "store: reports as profiles")
        tally.equal(before.diff(now).about["after_hit"], 4, "store: what changed between them")
        tally.equal([(r["name"], r["lines_hit"], r["before_lines_hit"]) for r in made.table().rows() if r["kind"] == "file"], [("a.c", 4, 3)], "store: the table of files")
        tally.check(commit in made.export_json(), "store: the report as JSON")
        tally.equal(made.gc(dry_run=True)["objects"], 0, "store: nothing to remove")
        for label, function, args in (("a revision", made.report, ("nothing",)), ("a branch", made.remove_ref, ("branch", "nothing"))):
            try:
                function(*args)
                tally.check(False, f"store: {label} that is none")
            except assay.AssayError as e:
                tally.equal(e.code, "unknown", f"store: {label} that is none")
    tally.check(assay.Store.find(tmp).report().id == second.report, "store: found again")
    for _ in range(20):  # nothing but the result holds the store
        found = (len(assay.Store.find(tmp).log()), len(assay.Store.find(tmp).refs()), assay.Store.find(tmp).table().count, assay.Store.find(tmp).report().lines_hit,
                 assay.Store.find(tmp).profile().coverage()["lines_hit"][0])
        if found != (2, 1, 1, 4, 4):
            break
    tally.equal(found, (2, 1, 1, 4, 4), "store: what was made of a store that is gone")
    try:
        made.log()
        tally.check(False, "store: closed")
    except assay.ClosedError:
        tally.check(True, "store: closed")


def main():
    tally = Tally()
    hatchet(tally)
    for part in (covered, tested, store):
        with tempfile.TemporaryDirectory() as tmp:
            part(tally, Path(tmp))
    tally.finish()


if __name__ == "__main__":
    main()
