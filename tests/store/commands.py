#!/usr/bin/env python3
"""`assay cov` against the recorded behaviour of the program cov: its command cases, its outputs on real stores, and imports that must give the same
ids. Needs the shared data; skipped without it."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, SHARED, SKIP, Tally  # noqa: E402

DATA = SHARED / "data" / "cov"
# It expects a branch that stands for the report before the first one: docs/cov.md, "Differences".
WRONG = "106-A-branch-create-start-point"


def run(tally, label, script, *args):
    result = subprocess.run([sys.executable, DATA / script, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=280)
    lines = result.stdout.decode("utf-8", "replace").split("\n")
    tally.check(result.returncode == 0, f"{label}: {lines[-2] if len(lines) > 1 else ''}", *lines[-40:])


def main():
    if not DATA.is_dir() or not shutil.which("git"):
        print("no shared data, or no git")
        sys.exit(SKIP)
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        # Settings of the machine are looked for where the command is installed.
        os.mkdir(f"{tmp}/bin")
        shutil.copy(ASSAY, f"{tmp}/bin/assay")
        run(tally, "cases", "run-cases.py", "--target", f"{tmp}/bin/assay cov", "--our-words", "--inst", tmp, "--jobs", "2", "--class", "data", "--class", "system",
            "--class", "external", "--filter", f"^(?!.*{WRONG})")
    # The recorded git worktree names the folder it was made in.
    run(tally, "outputs", "run-golden.py", "--target", f"{ASSAY} cov", "--our-words", "--now-env", "SOURCE_DATE_EPOCH", "--filter", "^(?!tree-wt )")
    run(tally, "imports", "run-golden.py", "--target", f"{ASSAY} cov", "--replay", DATA / "stores" / "replay-edge.json.gz", "--report-args=--exact", "--now-env",
        "SOURCE_DATE_EPOCH")
    tally.finish()


if __name__ == "__main__":
    main()
