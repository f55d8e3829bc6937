#!/usr/bin/env python3
"""What `--sarif` and `--junit` print: every finding of `check` and every line and gate of `patch` and `diff`, with its place; hostile names; and that other programs
read it. Microsoft's validator has the schema of SARIF 2.1.0, python3-junitparser reads JUnit; without them the structure is checked here. Expected figures are worked
out from the inputs below."""
import json
import os
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SOURCE, Tally, assay, run, said  # noqa: E402

# Of src/a.c lines 3 and 4 are new and missed, 6 is new and hit; other.c is in no report.
CHANGE = "--- a/src/a.c\n+++ b/src/a.c\n@@ -2,0 +3,2 @@\n+x\n+y\n@@ -3,0 +6,1 @@\n+z\n--- a/other.c\n+++ b/other.c\n@@ -0,0 +1 @@\n+x\n"
AFTER = "TN:\nSF:src/a.c\nDA:1,1\nDA:2,0\nDA:3,0\nDA:4,0\nDA:5,1\nDA:6,1\nend_of_record\n"
BEFORE = "TN:\nSF:src/a.c\nDA:1,1\nDA:2,1\nDA:3,1\nend_of_record\n"  # line 2 is lost; all of 3 were hit, now 3 of 6
SLOW = "# callgrind format\nevents: Ir\nfl=src/a.c\nfn=main\n1 {}\nfn=new\n9 {}\n"


def validator():
    places = [os.environ.get("SARIF_MODULES", ""), str(SOURCE / "build/peers/node_modules")]
    found = [Path(p) / "@microsoft/sarif-multitool-linux/Sarif.Multitool" for p in places if p]
    return next((p for p in found if p.is_file()), None)


def check_schema(tally, tmp):
    """All logs of this test, and one that is wrong. What breaks the schema is an error with a rule JSON* there."""
    program = validator()
    if not program:
        tally.skip("the schema of SARIF", "there is no sarif-multitool")
        return
    if not os.access(program, os.X_OK):
        program.chmod(0o755)
    broken = Path(tmp, "broken.sarif")
    broken.write_text('{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "x"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": 0}}}]}]}]}')
    logs = sorted(Path(tmp).glob("out*.sarif"))
    result = run(program, "validate", *logs, broken, "--output", Path(tmp, "result"), "--log", "ForceOverwrite", cwd=tmp,
                 env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1", "DOTNET_BUNDLE_EXTRACT_BASE_DIR": tmp})
    text = result.stdout.decode("utf-8", "replace")
    errors = [line for line in text.splitlines() if ": error " in line]
    tally.check(f"{len(logs) + 1} files scanned" in text, f"sarif-multitool looks at {len(logs) + 1} files", text[-2000:], said(result))
    for log in logs:
        tally.check(not any(log.name in line for line in errors), f"{log.name} is valid", *errors)
    tally.check(any("broken.sarif" in line and "error JSON" in line for line in errors), "and it finds a mistake", *errors)


def sarif(tally, tmp, label, *args, status=0):
    """Its results as (rule, level, uri, region)."""
    path = Path(tmp, f"out{len(list(Path(tmp).glob('out*.sarif')))}.sarif")
    result = assay(*args, "--sarif", "-o", path, cwd=tmp)
    if not tally.check(result.returncode == status, f"{label}: exit {status}", said(result)):
        return []
    log = json.loads(path.read_text(encoding="utf-8"))
    (of,) = log["runs"]
    tally.check(log["version"] == "2.1.0" and of["tool"]["driver"]["name"] == "assay", f"{label}: a SARIF log")
    rules = [r["id"] for r in of["tool"]["driver"]["rules"]]
    tally.equal(sorted(rules), sorted({r["ruleId"] for r in of["results"]}), f"{label}: its rules")
    tally.check(all(r["message"]["text"] and r["level"] in ("note", "warning", "error") for r in of["results"]), f"{label}: each has a level and a sentence")
    places = [r["locations"][0]["physicalLocation"] for r in of["results"]]
    return [(r["ruleId"], r["level"], p["artifactLocation"]["uri"], p.get("region")) for r, p in zip(of["results"], places)]


def junit(tally, tmp, label, *args, status=0):
    """Its cases as (name, outcome)."""
    path = Path(tmp, "out.xml")
    result = assay(*args, "--junit", "-o", path, cwd=tmp)
    if not tally.check(result.returncode == status, f"{label}: exit {status}", said(result)):
        return []
    root = ET.parse(path).getroot()
    suite = root.find("testsuite")
    cases = [(c.get("name"), next((k for k in ("failure", "error") if c.find(k) is not None), "passed")) for c in suite]
    for element in (root, suite):
        tally.equal([int(element.get(k)) for k in ("tests", "failures", "errors")], [len(cases), sum(o == "failure" for _, o in cases), sum(o == "error" for _, o in cases)], f"{label}: the counts of {element.tag}")
    tally.equal(status == 0, all(o == "passed" for _, o in cases), f"{label}: it passes when the status is 0")
    script = ("import sys\ntry:\n    from junitparser import JUnitXml\nexcept ImportError:\n    sys.exit(77)\nfor s in JUnitXml.fromfile(sys.argv[1]):\n"
              "    print(s.tests, s.failures, s.errors)\n    for c in s:\n        print(repr((c.name, type(c.result[0]).__name__.lower() if c.result else 'passed')))")
    theirs = run("/usr/bin/python3", "-c", script, path)
    if theirs.returncode == 77:
        tally.skip(f"{label}: junitparser", "it is not installed")
    else:
        want = [f"{len(cases)} {suite.get('failures')} {suite.get('errors')}"] + [repr(c) for c in cases]
        tally.equal(theirs.stdout.decode().splitlines(), want, f"{label}: junitparser reads the same")
    return cases


def check_check(tally, tmp):
    """The same findings as in JSON."""
    for name in ("killed.nytprof", "aborted.xdebug", "demo.info", "04.00b-unfinished.hpcrun"):
        path = FIXTURES / name
        found = json.loads(assay("check", "--json", path).stdout)["files"][0]
        status = 0 if found["ok"] else 1
        levels = {"info": "note"}
        uri = "file://" + urllib.parse.quote(str(path), safe="/~")
        want = [(f["rule"], levels.get(f["severity"], f["severity"]), uri, {"startLine": f["line"]} if "line" in f else {"byteOffset": f["offset"]} if "offset" in f else None) for f in found["findings"]]
        tally.equal(sarif(tally, tmp, f"check {name}", "check", path, status=status), want, f"check {name}: results")
        tally.equal(junit(tally, tmp, f"check {name}", "check", path, status=status), [(str(path), "passed" if found["ok"] else "failure")], f"check {name}: cases")
    empty = Path(tmp, "empty file")
    empty.write_text("")
    got = sarif(tally, tmp, "check of an empty file", "check", "empty file", FIXTURES / "demo.info", status=3)
    tally.check(got[0] == ("F-2", "error", "empty%20file", {"byteOffset": 0}) and all(level == "note" for _, level, _, _ in got[1:]), "an empty file", got)
    tally.equal(junit(tally, tmp, "check of an empty file", "check", "empty file", FIXTURES / "demo.info", status=3), [("empty file", "error"), (str(FIXTURES / "demo.info"), "passed")], "an empty file, as cases")


def check_patch(tally, tmp):
    gate = ["patch", "--diff", "change.diff", "after.info", "--fail-under-new"]
    lines = [("uncovered-line", "warning", "src/a.c", {"startLine": 3, "endLine": 4}), ("not-in-report", "note", "other.c", None)]
    tally.equal(sarif(tally, tmp, "patch", *gate, "30"), lines, "patch that passes: 1 of 3 is 33%")
    tally.equal(sarif(tally, tmp, "patch", *gate, "34", status=1), [*lines, ("patch-coverage", "error", "after.info", None)], "patch that fails")
    tally.equal(junit(tally, tmp, "patch", *gate, "30"), [("new lines", "passed"), ("patch coverage is at least 30%", "passed")], "cases of patch")
    tally.equal(junit(tally, tmp, "patch", *gate, "34", status=1), [("new lines", "passed"), ("patch coverage is at least 34%", "failure")], "cases of patch that fails")


def check_diff(tally, tmp):
    args = ["diff", "before.info", "after.info", "--diff", "change.diff"]
    # Lines 5 (old line 3) is covered as before; 2 is lost; 3 and 4 are new.
    lines = [("coverage-LBC", "warning", "src/a.c", {"startLine": 2}), ("coverage-UNC", "warning", "src/a.c", {"startLine": 3, "endLine": 4})]
    tally.equal(sarif(tally, tmp, "diff", *args), lines, "diff of coverage")
    tally.equal(sarif(tally, tmp, "diff with gates", *args, "--max-drop", "49", "--fail-on", "LBC", status=1),
                [("coverage-LBC", "error", "src/a.c", {"startLine": 2}), lines[1], ("coverage-drop", "error", "after.info", None)], "diff of coverage with gates: it fell by 50 points")
    tally.equal(junit(tally, tmp, "diff with gates", *args, "--max-drop", "50", "--fail-on", "LBC", "--fail-under-new", "10", status=1),
                [("lines", "failure"), ("patch coverage is at least 10%", "passed"), ("line coverage falls by at most 50 points", "passed")], "cases of diff of coverage")
    for name, cost in (("quick", (1000, 10)), ("slow", (1021, 300))):
        Path(tmp, f"{name}.callgrind").write_text(SLOW.format(*cost))
    profiles = ["diff", "quick.callgrind", "slow.callgrind"]
    tally.equal(sarif(tally, tmp, "diff of profiles", *profiles, "--fail-above", "2", status=1),
                [("total-cost", "error", "slow.callgrind", None), ("cost", "error", "src/a.c", {"startLine": 9}), ("cost", "error", "src/a.c", {"startLine": 1})], "diff of profiles: +30.8%, new +2900%, main +2.1%")
    tally.equal(junit(tally, tmp, "diff of profiles", *profiles, "--fail-above", "2", status=1), [("total of Ir grows by at most 2%", "failure"), ("Ir of each function grows by at most 2%", "failure")], "cases of diff of profiles")
    tally.equal(junit(tally, tmp, "diff without a gate", *profiles), [("Ir", "passed")], "without a gate nothing fails")


def check_names(tally, tmp):
    """Whatever bytes paths have: valid XML, valid JSON, and a URI that leads back."""
    name = b"src/<a> & \"b\" %41\x1b\xff\xe2\x82\xac #?.c"
    os.makedirs(os.path.join(os.fsencode(tmp), b"src"), exist_ok=True)
    Path(tmp, "odd.info").write_bytes(b"TN:\nSF:" + name + b"\nDA:1,0\nend_of_record\n")
    Path(tmp, "odd.diff").write_bytes(b"--- /dev/null\n+++ b/" + name + b"\n@@ -0,0 +1 @@\n+x\n")
    got = sarif(tally, tmp, "odd names", "patch", "odd.info", "--diff", "odd.diff")
    tally.check(len(got) == 1 and urllib.parse.unquote_to_bytes(got[0][2]) == name, "a path with any bytes is a URI", got)
    junit(tally, tmp, "odd names", "patch", "odd.info", "--diff", "odd.diff", "--fail-under-new", "0")
    odd = Path(tmp, os.fsdecode(b"odd\xff\x1b<&>\".info"))
    odd.write_text(AFTER)
    result = assay("check", "--junit", odd.name, cwd=tmp)
    tally.check(result.returncode == 0 and ET.fromstring(result.stdout.decode("utf-8")) is not None and b"odd\\xff\\x1b&lt;&amp;&gt;&quot;.info" in result.stdout, "a file with an odd name", said(result))


def check_options(tally, tmp):
    for wrong in (["check", "--sarif", "--json"], ["check", "--sarif", "--junit"], ["diff", "--junit", "--csv", "before.info"], ["patch", "--diff", "change.diff", "--sarif", "--annotations", "github"],
                  ["diff", "--scaling", "strong", "--sarif", "before.info"]):
        result = assay(*wrong, "after.info", cwd=tmp)
        tally.check(result.returncode == 2 and b"cannot be combined" in result.stderr and not result.stdout, f"{' '.join(wrong)}: wrong usage", said(result))
    result = assay("top", "--sarif", "after.info", cwd=tmp)
    tally.equal(result.returncode, 2, "top has no issues")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        for name, text in (("change.diff", CHANGE), ("after.info", AFTER), ("before.info", BEFORE)):
            Path(tmp, name).write_text(text)
        for check in (check_check, check_patch, check_diff, check_names, check_options, check_schema):
            check(tally, tmp)
    tally.finish()


if __name__ == "__main__":
    main()
