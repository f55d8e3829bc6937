#!/usr/bin/env python3
"""Coverage files of the formats that are read against facts that independent tools computed.

  coverage_facts.py COVERAGE_FACTS

The cases of the shared data's tools/check-facts.py (counts, metrics, rows of top, broken files with their place), and what it does not
compare: figures, stated totals and extras of each file, tests, number of warnings by rule, rules of broken files. Lines that are written
as lcov count the same again.
"""
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, SHARED, Tally, assay, facts_checker, has_shared, run, said  # noqa: E402

FORMATS = (
    "clover", "cobertura", "coverage.py-json", "coveralls", "devel-cover-json", "gcov-intermediate", "gcov-json", "gcov-text", "gcovr-json", "go-cover", "grcov-covdir", "istanbul", "jacoco", "jacoco-exec", "lcov", "llvm-cov-json", "simplecov-resultset", "sonarqube-generic", "v8",
)
BROKEN = (".cov", ".exec", ".gcov", ".gcov.json", ".gcov.json.gz", ".info", ".json", ".xml")
# Where the figures differ for a reason; docs/formats/lcov.md and cobertura.md say which.
KNOWN_FINDINGS = {"cart-a.nyc.xml": {"CB-10": 5}, "grcov-firefox-js.info.gz": {"LC-16": 3}, "lcov-tests-format.info": {"LC-10": 2}, "lcov-tests-merge-b.info": {"LC-29": 1}}
KNOWN_PLACES = ("cut.gcov.json", "crc.gcov.json.gz")  # docs/formats/gcov-json.md
STATED = (("lines", "lines-covered", "lines-valid"), ("branches", "branches-covered", "branches-valid"), ("functions", "functions-covered", "functions-valid"))


def cases():
    """(path, facts) of every file of these formats."""
    for expected in sorted((SHARED / "data" / "coverage").rglob("expected.json")):
        for name, want in json.loads(expected.read_text(encoding="utf-8")).items():
            if want.get("format") in FORMATS or expected.parent.name == "broken" and name.endswith(BROKEN):
                yield expected.parent / name, want


def findings(path):
    result = assay("check", "--json", path)
    found = Counter()
    for f in json.loads(result.stdout)["files"][0]["findings"]:
        if f["severity"] != "info":
            found[f["severity"], f["rule"]] += 1 + f.get("repeats", 0)
    return found


def check_findings(tally, path, want):
    facts = want.get("facts", {}).get("findings")
    if facts is not None:
        got = {rule: n for (severity, rule), n in findings(path).items() if severity == "warning"}
        tally.equal(got, {**facts, **KNOWN_FINDINGS.get(path.name, {})}, f"{path.name}: warnings by rule")
    if "codes" in want:
        found = findings(path)
        errors = any(severity == "error" for severity, _ in found)
        got = sorted(r for (severity, rule), n in found.items() for r in [rule] * n if severity == "error" or not errors)
        tally.equal(got, sorted(want.get("or_codes", want["codes"])), f"{path.name}: rules")


def check_root(tally, path, facts, got):
    """Sources and what the root of a Cobertura document states."""
    tally.equal(got["sources"], facts["sources"], f"{path.name}: sources")
    for kind, hit, total in STATED:
        want = [float(facts["stated"].get(key, -1)) for key in (hit, total)]
        tally.equal(got["stated"].get(kind, [-1, -1]), want, f"{path.name}: what is stated of {kind}")
    for kind in ("line-rate", "branch-rate", "function-rate", "complexity"):
        if kind in facts["stated"]:
            tally.equal(got["stated"].get(kind), [float(facts["stated"][kind]), -1], f"{path.name}: stated {kind}")


JACOCO = {"INSTRUCTION": "instructions", "BRANCH": "branches", "LINE": "lines", "METHOD": "methods", "COMPLEXITY": "complexity", "CLASS": "classes"}
CLOVER = (("statements", "coveredstatements"), ("conditionals", "coveredconditionals"), ("methods", "coveredmethods"), ("elements", "coveredelements"))


def stated_kinds(fmt, value):
    """What the facts say is stated, by the kinds of the model: [hit, total]."""
    if fmt == "jacoco":
        return {JACOCO[k]: [covered, covered + missed] for k, (covered, missed) in value.items()}
    pairs = {total: [value.get(hit, -1), value[total]] for total, hit in CLOVER if total in value}
    return {**pairs, **{k: [v, -1] for k, v in value.items() if not any(k in pair for pair in CLOVER)}}


def check_jacoco(tally, path, facts, got):
    tally.equal(got["sessions"], facts["sessions"], f"{path.name}: sessions")
    if "classes" in facts:
        tally.equal(got["classes"], facts["classes"], f"{path.name}: classes and probes")
        return
    tally.equal(got["names"], [facts["name"]], f"{path.name}: name")
    tally.equal(got["stated"], stated_kinds("jacoco", facts["stated"]), f"{path.name}: what the report states")
    if "classes" in facts.get("extra", {}):
        tally.equal(counts(path)["classes"], facts["extra"]["classes"], f"{path.name}: classes")


def check_model(tally, program, path, want):
    facts = want.get("facts", {})
    if "per_file" not in facts:
        return
    result = run(program, path)
    if not tally.check(result.returncode == 0, f"{path.name}: the model reads it", said(result)):
        return
    got = json.loads(result.stdout)
    if "tests" in facts:
        tally.equal(sorted(got["tests"]), facts["tests"], f"{path.name}: tests")
    if want["format"] == "cobertura":
        check_root(tally, path, facts, got)
    if want["format"] in ("jacoco", "jacoco-exec"):
        check_jacoco(tally, path, facts, got)
    tally.equal(sorted(got["per_file"]), sorted(facts["per_file"]), f"{path.name}: files")
    for name, figures in facts["per_file"].items():
        mine = got["per_file"].get(name, {})
        for key, value in figures.items():
            if key == "stated" and want["format"] == "coverage.py-json":
                names = (("LF", "num_statements"), ("LH", "covered_lines"), ("BRF", "num_branches"), ("BRH", "covered_branches"))
                tally.equal([mine.get("stated", {}).get(k) for k, _ in names], [value.get(k) for _, k in names], f"{path.name}: what is stated of {name}")
                not_statements = mine.get("lines_hit", 0) - mine.get("stated", {}).get("LH", 0)
                tally.equal(not_statements, figures["extra"]["executed_not_statements"], f"{path.name}: executed, but no statements, of {name}")
            elif key == "stated" and want["format"] in ("clover", "jacoco"):
                tally.equal(mine.get("stated_pairs"), stated_kinds(want["format"], value), f"{path.name}: what is stated of {name}")
            elif key == "stated" and want["format"] == "llvm-cov-json":
                tally.equal(mine.get("stated_pairs"), value, f"{path.name}: what is stated of {name}")
            elif key == "stated":
                tally.equal(mine.get("stated"), value, f"{path.name}: what is stated of {name}")
            elif key == "extra":
                for extra, n in value.items():
                    if extra not in ("negative", "executed_not_statements", "classes", "mcdc_records"):
                        tally.equal(mine.get("extra", {}).get(extra), n, f"{path.name}: {extra} of {name}")
            else:
                tally.equal(mine.get(key), value, f"{path.name}: {key} of {name}")


def check_special(tally, program, path, want):
    """Facts of the whole document that only one format has."""
    facts, kind = want.get("facts", {}), want.get("format")
    have = counts(path)
    for name in ("data_sets", "instantiations", "scripts", "file_scripts", "functions", "ranges", "ranges_zero", "block_coverage_functions"):
        if kind in ("llvm-cov-json", "v8") and name in facts:
            tally.equal(have.get(name), facts[name], f"{path.name}: count {name}")
    got = json.loads(run(program, path).stdout)
    if kind == "llvm-cov-json":
        tally.equal(got["stated_pairs"], facts["stated"], f"{path.name}: what the totals state")
        tally.equal(have.get("mcdc_records", 0), facts.get("extra", {}).get("mcdc_records", 0), f"{path.name}: MC/DC records")
        tally.equal([have.get("conditions_hit", 0), have.get("conditions", 0)], facts.get("mcdc", [0, 0]), f"{path.name}: conditions")
    if kind == "grcov-covdir":
        tally.equal(got["stated_pairs"]["lines"], facts["stated"], f"{path.name}: what the root states")
    if kind == "simplecov-resultset":
        tally.equal(sorted(got["tests"]), facts["commands"], f"{path.name}: commands")
    if kind == "v8":
        tally.equal(got["urls"], facts["urls"], f"{path.name}: scripts that are files")
    if kind == "devel-cover-json":
        names = {"statements": "statement", "branches": "branch", "conditions": "condition", "functions": "subroutine"}
        for file, figures in {"Total": got, **got["per_file"]}.items():
            mine = {names.get(k, k): v for k, v in figures["stated_pairs"].items()}
            tally.equal(mine, facts["summary [hit,total]"].get(file), f"{path.name}: summary of {file}")


def counts(path):
    return json.loads(assay("info", "--json", path).stdout)["files"][0]["counts"]


def check_written(tally, path, want, folder):
    """What is written as lcov has the same counts, passes its own check, and does not change when it is written again."""
    keys = ("files", "lines", "lines_hit", "functions", "functions_hit", "function_groups", "function_groups_hit", "branches", "branches_hit")
    have = counts(path)
    for version in ("1", "2"):
        once, twice = folder / f"once{version}.info", folder / f"twice{version}.info"
        result = assay("convert", path, "--to", f"lcov:{version}", "-o", once)
        if not tally.check(result.returncode == 0, f"{path.name}: is written as lcov {version}", said(result)):
            continue
        tally.equal({k: counts(once).get(k) for k in keys}, {k: have.get(k) for k in keys}, f"{path.name}: counts after writing as lcov {version}")
        wrong = {r for (_, r) in findings(once)}
        wrong &= {"LC-1", "LC-2", "LC-3", "LC-4", "LC-6", "LC-12", "LC-13", "LC-16", "LC-17", "LC-27", "LC-28"}
        tally.check(not wrong, f"{path.name}: what is written as lcov {version} is sound", wrong)
        assay("convert", once, "--to", f"lcov:{version}", "-o", twice)
        tally.equal(twice.read_bytes(), once.read_bytes(), f"{path.name}: lcov {version} written again")


def check_cobertura(tally, path, folder):
    """What is written as Cobertura has the counts of what was read, states them truly, and does not change when it is written again."""
    keys = ("files", "lines", "lines_hit", "functions", "functions_hit", "function_groups", "function_groups_hit", "branches", "branches_hit")
    have = counts(path)
    once, twice = folder / "once.xml", folder / "twice.xml"
    result = assay("convert", path, "--to", "cobertura", "-o", once)
    if not tally.check(result.returncode == 0, f"{path.name}: is written as Cobertura", said(result)):
        return
    tally.equal({k: counts(once).get(k) for k in keys}, {k: have.get(k) for k in keys}, f"{path.name}: counts after writing as Cobertura")
    wrong = {r for (_, r) in findings(once)} - {"CB-10"}
    tally.check(not wrong, f"{path.name}: what is written as Cobertura is sound", wrong)
    assay("convert", once, "--to", "cobertura", "-o", twice)
    tally.equal(twice.read_bytes(), once.read_bytes(), f"{path.name}: Cobertura written again")


def check_sonarqube(tally, path, folder):
    """What is written for SonarQube has the files, lines and branches of what was read, and does not change when it is written again."""
    keys = ("files", "lines", "lines_hit", "branches", "branches_hit")
    have = counts(path)
    once, twice = folder / "once.sonar.xml", folder / "twice.sonar.xml"
    result = assay("convert", path, "--to", "sonarqube-generic", "-o", once)
    if not tally.check(result.returncode == 0, f"{path.name}: is written for SonarQube", said(result)):
        return
    tally.equal({k: counts(once).get(k) for k in keys}, {k: have.get(k) for k in keys}, f"{path.name}: counts after writing for SonarQube")
    tally.check(not findings(once), f"{path.name}: what is written for SonarQube is sound")
    assay("convert", once, "--to", "sonarqube-generic", "-o", twice)
    tally.equal(twice.read_bytes(), once.read_bytes(), f"{path.name}: written again for SonarQube")


def check_coveralls(tally, path, folder):
    """What is written for coveralls has the counts of what was read, passes its own check, and does not change when it is written again."""
    keys = ("files", "lines", "lines_hit", "functions", "functions_hit", "function_groups", "function_groups_hit", "branches", "branches_hit")
    have = counts(path)
    once, twice = folder / "once.coveralls.json", folder / "twice.coveralls.json"
    result = assay("convert", path, "--to", "coveralls", "-o", once)
    if not tally.check(result.returncode == 0, f"{path.name}: is written for coveralls", said(result)):
        return
    tally.equal({k: counts(once).get(k) for k in keys}, {k: have.get(k) for k in keys}, f"{path.name}: counts after writing for coveralls")
    tally.equal(findings(once), Counter(), f"{path.name}: what is written for coveralls is sound")
    assay("convert", once, "--to", "coveralls", "-o", twice)
    tally.equal(twice.read_bytes(), once.read_bytes(), f"{path.name}: coveralls written again")


def main():
    program = sys.argv[1]
    tally = Tally()
    if not has_shared():
        tally.skip("coverage", f"no shared data in {SHARED}")
        tally.finish()
    Case = facts_checker().Case
    with tempfile.TemporaryDirectory() as folder:
        for path, want in cases():
            case = Case(ASSAY, str(path), want, 1e-8)
            tally.equal(list(case.complaints()), [], f"{path.name}: check-facts")
            tally.check(case.placed is not False or path.name in KNOWN_PLACES, f"{path.name}: named with its place")
            check_findings(tally, path, want)
            if want.get("ok"):
                check_model(tally, program, path, want)
                if want.get("format") in ("jacoco", "jacoco-exec", "clover", "sonarqube-generic"):
                    check_sonarqube(tally, path, Path(folder))
                else:
                    check_written(tally, path, want, Path(folder))
                check_special(tally, program, path, want)
                if path.parent.name in ("cobertura", "coveralls", "gcovr", "istanbul", "lcov", "llvm"):
                    check_coveralls(tally, path, Path(folder))
                if want.get("format") == "cobertura":
                    check_cobertura(tally, path, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
