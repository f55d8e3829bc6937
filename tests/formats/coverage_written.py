#!/usr/bin/env python3
"""What is written as clover, jacoco, gcovr-json and istanbul: the counts of what was read but for what is named as a loss, sound by its own check, the same
when it is written again; equal to what was read where the format stays. JaCoCo's report has the elements and attributes of its document type, Clover's those
of PHPUnit. gcovr (Debian: gcovr, whose version 5.2 reads this version of its JSON) and nyc (npm) count the same where they are installed.
"""
import json
import shutil
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, run, said  # noqa: E402

TARGETS = ("clover", "jacoco", "gcovr-json", "istanbul")
FIXED = ("demo.info", "demo-2x.info", "demo.cobertura.xml", "demo.clover.xml", "demo.jacoco.xml", "demo.gcovr.json", "demo.gcov.json", "demo.istanbul.json",
         "demo.llvm-cov.json", "demo.v8.json", "demo.coverage-py.json", "demo.sonarqube.xml", "demo.simplecov.json")
FOLDERS = {"istanbul": "*final.json", "jacoco": "*.xml", "clover": "*.xml", "gcovr": "[!e]*.json", "lcov": "*.info", "cobertura": "*.xml", "llvm": "[!e]*.json"}
KEPT = ("lines", "lines_hit", "functions", "functions_hit", "branches", "branches_hit")
STRAYS = "branches-without-line"
# what is read back equal where the format stays, for functions and files of assay's own JSON
EQUAL = {"clover": ("path", "lines", "sums"), "jacoco": ("path", "lines", "sums"), "istanbul": ("path", "lines", "branches", "regions", "sums")}


def samples():
    found = [FIXTURES / name for name in FIXED]
    if has_shared():
        found += [path for name, pattern in FOLDERS.items() for path in sorted((SHARED / "data" / "coverage" / name).glob(pattern))]
    return found


def info(path):
    return json.loads(assay("info", "--json", path).stdout)["files"][0]


def counts(path):
    return info(path)["counts"]


def problems(path):
    found = json.loads(assay("check", "--json", path).stdout)["files"][0]["findings"]
    return [f for f in found if f["severity"] != "info"]


def left_out(lost, target):
    """Kinds of counts that the losses are about."""
    kinds = {"functions"} if "places" in lost else set()
    return kinds | ({"branches"} if STRAYS in lost or ("branches" in lost and target in ("gcovr-json", "istanbul")) else set())


def check_written(tally, target, path, folder):
    once, twice, label = folder / f"once.{target}", folder / f"twice.{target}", f"{path.name} as {target}"
    result = assay("convert", path, "--to", target, "--sum-up", "--json", "-o", once)
    if not tally.check(result.returncode == 0, f"{label}: is written", said(result)):
        return
    lost = {loss["kind"]: loss["count"] for loss in json.loads(result.stdout)["losses"]}
    keys = [k for k in KEPT if k.removesuffix("_hit") not in left_out(lost, target)]
    have, got = counts(path), counts(once)
    tally.equal({k: got.get(k, 0) for k in keys}, {k: have.get(k, 0) for k in keys}, f"{label}: counts")
    if STRAYS in lost:
        tally.equal(got["branches"] + lost[STRAYS], have["branches"], f"{label}: branches, with those that are named as lost")
    tally.equal(problems(once), [], f"{label}: is sound")
    assay("convert", once, "--to", target, "--sum-up", "-o", twice)
    tally.equal(twice.read_bytes(), once.read_bytes(), f"{label}: written again")
    if target in EQUAL and info(path)["format"] == target and STRAYS not in lost and "states" not in lost:
        tally.equal(model(once, target), model(path, target), f"{label}: equal to what was read")


def model(path, target):
    """Files by path and functions by name, of assay's own JSON."""
    document = json.loads(assay("convert", path, "--to", "assay-json", "-o", "-").stdout)
    files = {f["path"]: {k: f.get(k) for k in EQUAL[target]} for f in document["files"] if f["path"] != "?"}
    functions = sorted((f["name"], f.get("line", 0), f.get("last_line", 0), json.dumps(f.get("called"))) for f in document.get("functions", []))
    return files, functions


# ---- shapes ----

JACOCO_CHILDREN = {"report": ["sessioninfo", "group package", "counter"], "package": ["class sourcefile", "counter"], "class": ["method", "counter"],
                   "method": ["counter"], "sourcefile": ["line", "counter"], "line": [], "counter": []}
JACOCO_NEEDED = {"report": {"name"}, "package": {"name"}, "class": {"name"}, "method": {"name", "desc"}, "sourcefile": {"name"}, "line": {"nr"},
                 "counter": {"type", "missed", "covered"}}
JACOCO_ALLOWED = {"class": {"sourcefilename"}, "method": {"line"}, "line": {"mi", "ci", "mb", "cb"}}
CLOVER_CHILDREN = {"coverage": ["project"], "project": ["file", "metrics"], "file": ["line", "metrics"], "line": [], "metrics": []}
CLOVER_NEEDED = {"coverage": {"generated"}, "project": {"timestamp"}, "file": {"name"}, "line": {"num", "type", "count"},
                 "metrics": {kind + part for kind in ("methods", "conditionals", "statements", "elements") for part in ("",)} |
                            {"covered" + kind for kind in ("methods", "conditionals", "statements", "elements")}}
CLOVER_ALLOWED = {"coverage": {"clover"}, "project": {"name"}, "file": {"path"}, "line": {"name", "truecount", "falsecount"}, "metrics": {"files"}}


def check_shape(tally, path, document, children, needed, allowed):
    """Each element has children in the order of the rules, and the attributes it must have and no others."""
    wrong = []
    for element in ElementTree.parse(document).iter():
        rules, at, names = children[element.tag], 0, set(element.attrib)
        if not needed[element.tag] <= names <= needed[element.tag] | allowed.get(element.tag, set()):
            wrong.append((element.tag, names))
        for child in element:
            while at < len(rules) and child.tag not in rules[at].split():
                at += 1
            if at == len(rules):
                wrong.append((element.tag, child.tag))
    tally.equal(wrong, [], f"{path.name}: {document.name} has the shape of its kind")


# ---- other programs ----


def with_gcovr(tally, path, folder):
    result = run("gcovr", "--root", folder, "--filter", ".*", "--add-tracefile", folder / "once.gcovr-json", "--json-summary")
    if not tally.check(result.returncode == 0, f"{path.name}: gcovr reads it", said(result)):
        return
    got, want = json.loads(result.stdout), counts(folder / "once.gcovr-json")
    for kind, name in (("lines", "line"), ("branches", "branch")):
        tally.equal((got[name + "_covered"], got[name + "_total"]), (want[kind + "_hit"], want[kind]), f"{path.name}: gcovr counts the same {kind}")


def with_nyc(tally, path, folder):
    reports, out = folder / "nyc", folder / "nyc-out"
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir()
    shutil.copy(folder / "once.istanbul", reports / "coverage.json")
    result = run("nyc", "report", "--temp-dir", reports, "--report-dir", out, "--reporter", "json-summary", "--exclude-after-remap", "false", cwd=folder)
    if not tally.check(result.returncode == 0, f"{path.name}: nyc reads it", said(result)):
        return
    total, want = json.loads((out / "coverage-summary.json").read_text())["total"], counts(folder / "once.istanbul")
    for kind in ("lines", "functions", "branches"):
        tally.equal((total[kind]["covered"], total[kind]["total"]), (want[kind + "_hit"], want[kind]), f"{path.name}: nyc counts the same {kind}")


def reads_our_gcovr():
    return shutil.which("gcovr") and run("gcovr", "--version").stdout.startswith(b"gcovr 5.2")


def main():
    tally = Tally()
    gcovr, nyc = reads_our_gcovr(), shutil.which("nyc")
    if not gcovr:
        tally.skip("gcovr", "version 5.2 is not installed")
    if not nyc:
        tally.skip("nyc", "not installed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in samples():
            for target in TARGETS:
                check_written(tally, target, path, folder)
            check_shape(tally, path, folder / "once.jacoco", JACOCO_CHILDREN, JACOCO_NEEDED, JACOCO_ALLOWED)
            check_shape(tally, path, folder / "once.clover", CLOVER_CHILDREN, CLOVER_NEEDED, CLOVER_ALLOWED)
            if gcovr:
                with_gcovr(tally, path, folder)
            if nyc and counts(folder / "once.istanbul").get("files"):
                with_nyc(tally, path, folder)
    tally.finish()


if __name__ == "__main__":
    main()
