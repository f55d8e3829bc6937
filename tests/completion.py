#!/usr/bin/env python3
"""Completion as the shells do it: bash and zsh on a terminal, where a key is pressed and the line that comes of it is run, and fish, which says what it would offer.

Shells that are not there are skipped.
"""
import os
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import Tally, assay, run, said  # noqa: E402

# What is typed, and the words it becomes: there is one way to go on.
CASES = {
    "assay inf": ["info"],
    "assay top --mark": ["top", "--markdown"],
    "assay top --sort na": ["top", "--sort", "name"],
    "assay convert --to webg": ["convert", "--to", "webgrind"],
    "assay info --from perf-d": ["info", "--from", "perf-data"],
    "assay cov imp": ["cov", "import"],
    "assay cov import --am": ["cov", "import", "--amend"],
    "assay help conv": ["help", "convert"],
    "assay info profile.o": ["info", "profile.out"],
}
# The command's place is taken by a function that prints its words.
SETUPS = {
    "bash": "source ./assay.bash; assay() { printf '<%s>' \"$@\"; echo '<end>'; }",
    "zsh": "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; assay() { printf '<%s>' \"$@\"; echo '<end>'; }",
}
STARTS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}
LONGEST = 30  # seconds


class Terminal:
    """A shell on a terminal."""

    def __init__(self, shell, folder):
        env = {"PATH": os.environ["PATH"], "HOME": folder, "TERM": "dumb", "LC_ALL": "C.UTF-8", "PS1": "$ "}
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execvpe(STARTS[shell][0], STARTS[shell], env)
        self.pid = pid

    def type(self, text):
        os.write(self.fd, text.encode())

    def until(self, pattern):
        """The match in what the terminal shows; None when it does not come."""
        shown, deadline = "", time.monotonic() + LONGEST
        while time.monotonic() < deadline:
            if not select.select([self.fd], [], [], 1)[0]:
                continue
            try:
                shown += os.read(self.fd, 65536).decode("utf-8", "replace")
            except OSError:
                break
            if found := re.search(pattern, shown):
                return found
        return None

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def on_terminal(tally, shell, folder):
    terminal = Terminal(shell, folder)
    try:
        terminal.type(SETUPS[shell] + "; echo re''ady\n")
        if not tally.check(terminal.until(r"ready\r?\n"), f"{shell}: takes the completion"):
            return
        for typed, words in CASES.items():
            terminal.type(typed + "\t\n")
            found = terminal.until(r"((?:<[^>%]*>)*)<end>")
            tally.equal(re.findall(r"<([^>]*)>", found[1]) if found else None, words, f"{shell}: {typed}")
    finally:
        terminal.close()


def in_fish(tally, folder):
    env = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "LC_ALL": "C.UTF-8"}
    for typed, words in CASES.items():
        result = run("fish", "--no-config", "-c", "source assay.fish; complete -C $argv[1]", typed, cwd=folder, env=env)
        offered = [line.split("\t")[0] for line in result.stdout.decode().splitlines()]
        tally.check(words[-1] in offered and result.returncode == 0, f"fish: {typed}", said(result), *offered[:20])


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for shell, name in {"bash": "assay.bash", "zsh": "_assay", "fish": "assay.fish"}.items():
            Path(folder, name).write_bytes(assay("help", "--completion", shell).stdout)
        Path(folder, "profile.out").touch()
        for shell in ("bash", "zsh", "fish"):
            if not shutil.which(shell):
                tally.skip(shell, "it is not installed")
            elif shell == "fish":
                in_fish(tally, folder)
            else:
                on_terminal(tally, shell, folder)
    tally.finish()


if __name__ == "__main__":
    main()
