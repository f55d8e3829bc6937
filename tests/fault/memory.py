#!/usr/bin/env python3
"""Memory in proportion: small files that are made to take much, each with a bound on the peak of the command (the resident set that the kernel counted);
and what is said where a limit is reached."""
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, Tally  # noqa: E402

MIB = 1 << 20


def measure(*args, limit=None):
    """Runs the command; its exit status, what it said on standard error, and its peak in bytes."""
    before = (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None
    with tempfile.TemporaryFile() as err:
        child = subprocess.Popen([ASSAY, *map(str, args)], stdout=subprocess.DEVNULL, stderr=err, preexec_fn=before)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return child.returncode, err.read().decode(), used.ru_maxrss * 1024


def wide(path, functions, events):
    """Callgrind text: many events, but each function has a value of the first only."""
    with open(path, "w") as f:
        f.write("# callgrind format\nevents: " + " ".join(f"E{i}" for i in range(events)) + "\n")
        f.writelines(f"fn=f{i}\n1 {i % 97 + 1}\n" for i in range(functions))
    return path


def limits(t, tmp):
    """The sentence says which limit it is, and only where there is one."""
    path = wide(tmp / "wide", 100000, 4)
    code, said, peak = measure("top", "--max-memory", "8M", path)
    t.equal((code, said), (4, f"assay: {path}: out of memory (the limit is set by --max-memory)\n"), "a limit that was set")
    t.check(peak < 32 * MIB, "a limit that was set holds", peak)
    code, said, _ = measure("top", path, limit=40 * MIB)
    t.equal((code, said), (4, f"assay: {path}: out of memory (the limit is 30.0 MiB, three quarters of what 'ulimit -v' allows; raise it with --max-memory)\n"),
            "the default limit")


def main():
    t = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        limits(t, Path(tmp))
    t.finish()


if __name__ == "__main__":
    main()
