#!/usr/bin/env python3
"""What is covered of a change, against diff-cover and an independent program (data/coverage/patch of the shared data).

Measured and missing lines, percentages, and the twelve categories with their lines, from a diff file and from the git repository alike. A
repository that would run programs, or a diff that names paths elsewhere, gets nothing run and nothing opened.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared, run, said  # noqa: E402

DATA = SHARED / "data" / "coverage" / "patch"


def answer(tally, label, *args):
    result = assay(*args, "--json")
    if b"no libgit2" in result.stderr:
        tally.skip(label, "built without libgit2")
        return None
    if not tally.check(result.returncode == 0, label, said(result)):
        return None
    return json.loads(result.stdout)


def check_patch(tally, label, got, want):
    files = {path: {"measured": sorted(s["covered_lines"] + s["violation_lines"]), "missing": s["violation_lines"], "percent": round(s["percent_covered"], 2)}
             for path, s in got["src_stats"].items()}
    tally.equal(files, want["files"], f"{label}: files")
    totals = [got[k] for k in ("total_num_lines", "total_num_violations", "total_percent_covered", "num_changed_lines")]
    tally.equal(totals, [want[k] for k in ("total_lines", "missing_lines", "percent_int", "changed_lines")], f"{label}: totals")
    for tool in want.get("tool", {}).values():
        tally.equal({p: s["violation_lines"] for p, s in got["src_stats"].items() if s["violation_lines"]}, tool["violation_lines"], f"{label}: lines of diff-cover")


def check_diff(tally, label, got, want):
    tally.equal(got["categories"], want["categories"], f"{label}: categories")
    where = {}
    for row in got["rows"]:
        for category, lines in row["lines"].items():
            path = f"old {row['old_path']}" if category.startswith("D") else row["path"]
            where.setdefault(category, []).extend(f"{path}:{n}" for n in lines)
    tally.equal({k: sorted(v) for k, v in where.items()}, {k: sorted(v) for k, v in want["where"].items() if k != "UBC"}, f"{label}: lines by category")


def check_case(tally, folder, name, want):
    repository = folder / name.split("-")[0]
    sources = [("--diff", DATA / want["diff"])]
    if repository.exists():
        sources += [("--git", "HEAD~1...HEAD", "--repository", repository), ("--git", "HEAD~1..HEAD", "--repository", repository), ("--git", "HEAD~1", "--repository", repository)]
    for source in sources:
        label = f"{name} {source[0]} {source[1] if source[0] == '--git' else ''}"
        got = answer(tally, f"patch {label}", "patch", DATA / name, *source)
        if got:
            check_patch(tally, f"patch {label}", got, want)
        got = answer(tally, f"diff {label}", "diff", DATA / want["baseline"], DATA / name, *source)
        if got:
            check_diff(tally, f"diff {label}", got, want)


def git(folder, *args):
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "HOME": str(folder)}
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *args], cwd=folder, env=env, capture_output=True)


def check_work_tree(tally, folder):
    """Staged and unstaged changes, by hand: line 2 is staged, line 4 lies in the work tree; the report is of the work tree."""
    git(folder, "init", "-q", ".")
    (folder / "x.c").write_text("1\n2\n3\n")
    git(folder, "add", "x.c")
    git(folder, "commit", "-qm", "one")
    (folder / "x.c").write_text("1\nstaged\n3\n")
    git(folder, "add", "x.c")
    (folder / "x.c").write_text("1\nstaged\n3\nunstaged\n")
    (folder / "r.info").write_text("TN:\nSF:x.c\nDA:1,0\nDA:2,0\nDA:3,0\nDA:4,0\nend_of_record\n")
    for options, lines in ((["--staged"], [2]), (["--unstaged"], [4]), (["--staged", "--unstaged"], [2, 4]), (["--git", "HEAD", "--unstaged"], [2, 4]), (["--git", "HEAD", "--staged"], [2])):
        got = answer(tally, " ".join(options), "patch", folder / "r.info", "--repository", folder, *options)
        if got:
            tally.equal(got["src_stats"].get("x.c", {}).get("violation_lines"), lines, f"{' '.join(options)}: new lines")


def check_hostile(tally, folder):
    """Whatever a repository configures, nothing of it is run; a path that leads elsewhere is only a text."""
    trap = folder / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {folder}/sprung\ncat\n")
    trap.chmod(0o755)
    with (folder / ".git" / "config").open("a") as config:
        config.write(f"[core]\n\tfsmonitor = {trap}\n\thooksPath = {folder}\n\tpager = {trap}\n\tsshCommand = {trap}\n"
                     f"[diff]\n\texternal = {trap}\n[diff \"t\"]\n\tcommand = {trap}\n\ttextconv = {trap}\n[filter \"t\"]\n\tclean = {trap}\n\tsmudge = {trap}\n\trequired = true\n"
                     f"[alias]\n\tdiff = !{trap}\n[credential]\n\thelper = {trap}\n")
    (folder / ".gitattributes").write_text("* diff=t filter=t\n")
    for hook in ("post-index-change", "fsmonitor-watchman", "post-checkout"):
        shutil.copy(trap, folder / ".git" / "hooks" / hook)
    for options in (["--git", "HEAD", "--unstaged"], ["--staged"], ["--unstaged"]):
        assay("patch", folder / "r.info", "--repository", folder, *options)
    tally.check(not (folder / "sprung").exists(), "a repository's own programs are not run")
    elsewhere = "--- a/../../etc/passwd\n+++ b//etc/passwd\n@@ -1,0 +1 @@\n+x\n--- a/x.c\n+++ b/x.c\n@@ -0,0 +1 @@\n+1\n"
    result = run("strace", "-f", "-e", "trace=open,openat,stat,lstat,newfstatat,readlink", os.environ.get("ASSAY", "assay"), "patch", folder / "r.info", "--diff", "-", "--json",
                 input=elsewhere.encode()) if shutil.which("strace") else None
    if result:
        tally.check(b"passwd" not in result.stderr, "no path of a diff is opened", result.stderr.decode()[-500:])
    result = assay("patch", folder / "r.info", "--diff", "-", "--json", input=elsewhere.encode())
    tally.equal(json.loads(result.stdout)["unmatched"], ["/etc/passwd"], "a path elsewhere is only a text")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        if has_shared():
            for archive in DATA.glob("*.tar.gz"):
                run("tar", "xzf", archive, "-C", folder, "--no-same-owner")
            for name, want in json.loads((DATA / "expected.json").read_text(encoding="utf-8")).items():
                if "patch" in want.get("facts", {}):
                    check_case(tally, folder, name, want["facts"]["patch"])
        else:
            tally.skip("facts", "no shared data")
        if shutil.which("git"):
            work = folder / "work"
            work.mkdir()
            check_work_tree(tally, work)
            check_hostile(tally, work)
        else:
            tally.skip("work tree", "git is not installed")
    tally.finish()


if __name__ == "__main__":
    main()
