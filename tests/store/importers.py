#!/usr/bin/env python3
"""Imports at the same time, and imports that are killed: no report that was acknowledged is lost.

  importers.py KILLER.so

Two, then twelve importers at once: all of their reports are in the history. An importer is killed before each call that changes the file system, and
a hundred times at any moment: the store passes fsck but for leftovers, gc removes those, and what was acknowledged is there.
"""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, Tally, run, said  # noqa: E402

LINES = 400
LEFTOVERS = {"S17", "S18", "S25"}
ENVIRONMENT = {**{k: v for k, v in os.environ.items() if not k.startswith("GIT_")}, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}
PLACE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Repository:
    """A git repository with one commit, and a store."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.number = 0
        self.git("init", "-q", "-b", "main")
        (self.folder / "a.c").write_text("".join(f"int line_{i};\n" for i in range(LINES)))
        self.git("add", "a.c")
        self.git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "one")
        self.cov("init")

    def git(self, *args):
        subprocess.run(("git", "-C", self.folder, *args), check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)

    def cov(self, *args, **extra):
        return run(ASSAY, "cov", *args, cwd=self.folder, env={**ENVIRONMENT, **extra}, timeout=60)

    def coverage(self):
        """A file whose statistics no other one has, so that none is taken for a report without change."""
        self.number += 1
        path = self.folder / f"{self.number}.info"
        rows = "".join(f"DA:{i + 1},{int(i < self.number)}\n" for i in range(LINES))
        path.write_text(f"SF:a.c\nFN:1,f\nFNDA:{self.number},f\n{rows}end_of_record\n")
        return path

    def start(self, **extra):
        return subprocess.Popen([ASSAY, "cov", "import", "--json", self.coverage()], cwd=self.folder, env={**ENVIRONMENT, **extra}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def history(self):
        return self.cov("log", "--format=%HR").stdout.decode().split()

    def findings(self):
        result = self.cov("fsck", "--json", "-v")
        return result, [(f["rule"], f["message"]) for f in json.loads(result.stdout)["files"][0]["findings"]]


def acknowledged(output):
    """The report that an importer said it had stored."""
    try:
        answer = json.loads(output)
    except ValueError:
        return None
    return answer["report"] if answer["changed"] else None


def at_once(tally, count):
    with tempfile.TemporaryDirectory(dir=PLACE) as folder:
        repository = Repository(folder)
        done = [p.communicate(timeout=60) + (p.returncode,) for p in [repository.start() for _ in range(count)]]
        for _, err, code in done:
            tally.check(code == 0, f"{count} importers at once: each succeeds", err.decode())
        reports = {acknowledged(out) for out, _, _ in done}
        history = repository.history()
        tally.check(len(reports) == count and reports == set(history) and len(history) == count, f"{count} importers at once: every report is in the history",
                    reports - set(history))
        _, found = repository.findings()
        tally.check({rule for rule, _ in found} <= {"S17"}, f"{count} importers at once: the store is sound", found)


def check_store(tally, repository, label, known):
    """Sound but for leftovers; clean after gc; all known reports there."""
    _, found = repository.findings()
    tally.check({rule for rule, _ in found} <= LEFTOVERS, f"{label}: only leftovers", found)
    if found:
        result = repository.cov("gc", "--grace", "0")
        tally.check(result.returncode == 0, f"{label}: gc", said(result))
        tally.equal(repository.findings()[1], [], f"{label}: clean after gc")
    missing = known - set(repository.history())
    tally.check(not missing, f"{label}: nothing acknowledged is lost", missing)


def at_every_call(tally, killer):
    with tempfile.TemporaryDirectory(dir=PLACE) as folder:
        repository = Repository(folder)
        known = set()
        survived = False
        for at in range(1, 400):
            p = repository.start(LD_PRELOAD=killer, KILL_AT=str(at))
            out, err = p.communicate(timeout=60)
            report = acknowledged(out)
            if report:
                known.add(report)
            check_store(tally, repository, f"killed before call {at}", known)
            survived = p.returncode == 0
            if survived:
                break
        tally.check(survived and at > 20, "there is an end to the calls", at, err.decode())


def reflog(repository):
    return [(c["from"], c["to"]) for c in json.loads(repository.cov("reflog", "--json").stdout)["changes"]]


def at_every_call_again(tally, killer):
    """The next import succeeds at once, whatever the killed one left: no gc, no waiting. The reflog has what the branch stood for, and nothing else."""
    with tempfile.TemporaryDirectory(dir=PLACE) as folder:
        repository = Repository(folder)
        repository.start().communicate(timeout=60)
        locks = 0
        for at in range(1, 400):
            p = repository.start(LD_PRELOAD=killer, KILL_AT=str(at))
            p.communicate(timeout=60)
            tip = repository.history()[0]
            lock = (repository.folder / ".git/.covdata/refs/heads/main.lock").exists()
            locks += lock
            if lock:
                tally.check("S25" in {rule for rule, _ in repository.findings()[1]}, f"killed before call {at}: fsck names the lock")
            begin = time.monotonic()
            out, err = (q := repository.start()).communicate(timeout=60)
            took = time.monotonic() - begin
            tally.check(q.returncode == 0 and acknowledged(out) == repository.history()[0], f"killed before call {at}: the next import succeeds", err.decode())
            tally.check(took < 3, f"killed before call {at}: at once", took)
            changes, history = reflog(repository), repository.history()
            tally.check(history[1] == tip and [to for _, to in changes] == history, f"killed before call {at}: the reflog is the history", changes, history)
            tally.check(all(a == b for (a, _), (_, b) in zip(changes, changes[1:])), f"killed before call {at}: without gaps", changes)
            if p.returncode == 0:
                break
        tally.check(locks > 2, "some of them left a lock", locks)


def at_any_moment(tally, rounds):
    chance = random.Random(7)
    with tempfile.TemporaryDirectory(dir=PLACE) as folder:
        repository = Repository(folder)
        known, killed = set(), 0
        for i in range(rounds):
            p = repository.start()
            try:
                p.wait(timeout=chance.uniform(0.001, 0.03))
            except subprocess.TimeoutExpired:
                p.kill()
            out, _ = p.communicate()
            report = acknowledged(out)
            if report:
                known.add(report)
            killed += p.returncode != 0
            if p.returncode != 0 and (repository.folder / ".git/.covdata/refs/heads/main.lock").exists():
                check_store(tally, repository, f"killed in round {i}", known)
        check_store(tally, repository, f"killed {killed} times of {rounds}", known)
        tally.check(0 < killed, "some of them were killed")


def without_git(tally):
    """What git should have, and does not: another repository takes the place of the one that was measured."""
    with tempfile.TemporaryDirectory(dir=PLACE) as folder:
        repository = Repository(folder)
        repository.start().communicate()
        repository.git("init", "-q", "other")
        repository.cov("config", "core.gitdir", "../../other/.git")
        (repository.folder / ".git/.covdata/gitdir").write_text("../../other/.git\n")
        _, found = repository.findings()
        tally.equal(sorted({rule for rule, _ in found}), ["S11", "S16"], "commit and source are missed")


def no_room(tally):
    """Files may not grow: the import fails in words, and leaves nothing."""
    with tempfile.TemporaryDirectory(dir=PLACE) as folder:
        repository = Repository(folder)
        repository.start().communicate()
        before = repository.history()
        limit = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)))  # noqa: E731
        p = subprocess.run([ASSAY, "cov", "import", repository.coverage()], cwd=repository.folder, env=ENVIRONMENT, capture_output=True, preexec_fn=limit, timeout=60)
        tally.check(p.returncode == 2 and b"cannot write" in p.stderr, "no room: an error in words", said(p))
        tally.equal(repository.history(), before, "no room: the branch is as it was")
        tally.equal(repository.findings()[1], [], "no room: nothing is left behind")


def main():
    tally = Tally()
    if run("git", "--version").returncode != 0:
        tally.skip("imports", "no git")
        tally.finish()
    at_once(tally, 2)
    at_once(tally, 12)
    at_every_call(tally, os.path.abspath(sys.argv[1]))
    at_every_call_again(tally, os.path.abspath(sys.argv[1]))
    at_any_moment(tally, 100)
    without_git(tally)
    no_room(tally)
    tally.finish()


if __name__ == "__main__":
    main()
