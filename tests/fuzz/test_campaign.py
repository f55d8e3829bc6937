#!/usr/bin/env python3
"""campaign.py with programs that only pretend to fuzz: one finds something new in each round, one never, one fails."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support import Tally  # noqa: E402

GROWS = """echo '#5 INITED cov: 10 ft: 20 corp: 1/1b' >&2
echo '#7 NEW    cov: 11 ft: 23 corp: 2/2b' >&2
echo 'stat::number_of_executed_units: 100' >&2
"""
RESTS = """echo '#5 INITED cov: 4 ft: 6 corp: 1/1b' >&2
echo 'stat::number_of_executed_units: 10' >&2
"""
FAILS = "echo '#3 INITED cov: 1 ft: 1 corp: 1/1b' >&2; echo 'ERROR: AddressSanitizer: made up' >&2; exit 77\n"


def run(work, *options):
    command = [sys.executable, HERE / "campaign.py", "--programs", work, "--work", work / "campaign", "--found", work / "found", *options]
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60, check=False)


def make(work, **programs):
    for name, text in programs.items():
        path = work / f"fuzz_{name}"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        make(work, grows=GROWS, decode_rests=RESTS)
        done = run(work, "--each", "1")
        tally.equal(done.returncode, 0, "nothing fails: " + done.stderr)
        rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
        tally.equal((rows["grows"][0], rows["grows"][2:4], rows["decode_rests"][0], rows["total"][0]), ("100", ["11", "23"], "10", "110"), "one run each is counted")
        tally.check("never" in rows["decode_rests"] and "93" in rows["grows"], "the last new feature is told", done.stdout)
        tally.equal((work / "campaign/table.txt").read_text(), done.stdout, "the table is kept")
        done = run(work, "--hours", "0.0004", "--round", "1", "--jobs", "1")
        state = json.loads((work / "campaign/state.json").read_text())
        rounds = state["grows"]["executions"] // 100 - 1, state["decode_rests"]["executions"] // 10 - 1
        tally.check(rounds[0] > 2 * rounds[1] > 0, "time goes to what grows, totals go on", rounds)
        make(work, fails=FAILS)
        done = run(work, "--each", "1", "fails", "grows")
        tally.equal(done.returncode, 1, "a failure is told by the exit code")
        tally.check("==== fails failed" in done.stderr and "made up" in done.stderr, "and shown", done.stderr)
        tally.check("no such target" in run(work, "what").stderr, "a target that is not there")
    tally.finish()


if __name__ == "__main__":
    main()
