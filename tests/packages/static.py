#!/usr/bin/env python3
"""The static command (./dev static): in a root in which there is nothing but it and the file to read, and on a processor and a kernel of ten years ago and more.

  static.py PROGRAM
"""
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import readme  # noqa: E402
from support import FIXTURES, SOURCE, Tally, run, said  # noqa: E402

# Left out by `./dev static`, and said by --version.
LACKS = {"isa-l", "libgit2", "libmicrohttpd", "libedit"}
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "COLUMNS": "80", "NO_COLOR": "1"}


def example():
    """The README's first command without its first word, and what it prints."""
    block = readme.BLOCK.search((SOURCE / "README.md").read_text(encoding="utf-8"))[1]
    command, want = readme.commands(block)[0]
    return command.split()[1:], want


def file_itself(tally, program):
    def readelf(what):
        return run("readelf", "-W", what, program, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout.decode()
    tally.check("INTERP" not in readelf("-l"), "there is no loader")
    dynamic = readelf("-d")
    tally.check("(NEEDED)" not in dynamic, "there is no library to load", dynamic)
    tally.check(re.search(r"FLAGS_1\).*PIE", dynamic), "it can be loaded anywhere", dynamic)
    abi = re.search(r"ABI: (\d+)\.(\d+)", readelf("-n"))
    tally.check(abi and (int(abi[1]), int(abi[2])) <= (3, 2), "a kernel of 2012 is enough", readelf("-n"))


def empty_root(tally, program):
    if os.geteuid() != 0:
        tally.skip("empty root", "needs root")
        return
    with tempfile.TemporaryDirectory() as tmp:
        root = Path(tmp)
        shutil.copy(program, root / "assay")
        for name in ("demo.xdebug", "demo.callgrind"):
            shutil.copy(FIXTURES / name, root)

        def assay(*args):
            return run("/assay", *args, env=ENVIRONMENT, preexec_fn=lambda: (os.chroot(root), os.chdir("/")))
        args, want = example()
        result = assay(*args)
        tally.check(result.returncode == 0 and readme.matches(result.stdout.decode().splitlines(), want), "empty root: the README's first example", said(result), result.stdout.decode())
        version = assay("--version").stdout.decode()
        tally.equal(set(re.findall(r"^without (\S+): \S", version, re.M)), LACKS, "--version says what is missing")
        for packer in ("gzip", "xz", "zstd"):
            if shutil.which(packer):
                (root / "packed").write_bytes(run(packer, "-c", FIXTURES / "demo.xdebug").stdout)
                tally.equal(assay("top", "--csv", "packed").stdout, assay("top", "--csv", "demo.xdebug").stdout, f"empty root: reads {packer}")
        result = assay("convert", "demo.xdebug", "--to", "webgrind:7", "-o", "out.webgrind")
        tally.check(result.returncode == 0 and assay("check", "out.webgrind").returncode == 0, "empty root: converts", said(result))
        result = assay("query", "demo.xdebug", "select name from top limit 1")
        tally.equal(result.stdout.split(), [b"name", b"fib"], "empty root: answers in SQL")
        for words, missing in ({("cov", "init"): b"libgit2", ("view", "demo.xdebug"): b"libmicrohttpd"}).items():
            result = assay(*words)
            tally.check(result.returncode != 0 and missing in result.stderr, f"empty root: {' '.join(words)} says what is missing", said(result))


def old_machine(tally, program):
    """Core 2 is the first processor that has what every x86-64 Linux asks for, and little more; a kernel that says 3.2 is of 2012."""
    if not shutil.which("qemu-x86_64-static"):
        tally.skip("old processor", "qemu-x86_64-static is not installed")
        return
    args, want = example()
    result = run("qemu-x86_64-static", "-cpu", "Conroe", "-r", "3.2.0", program, *args, cwd=FIXTURES, env=ENVIRONMENT)
    tally.check(result.returncode == 0 and readme.matches(result.stdout.decode().splitlines(), want), "old processor and kernel: the README's first example", said(result))
    # A library of the machine, such as the one for debuginfod that some versions of elfutils look for, would bring another C library with it.
    calls = run("qemu-x86_64-static", "-strace", program, *args, cwd=FIXTURES, env=ENVIRONMENT).stderr.decode("utf-8", "replace")
    tally.check("demo.xdebug" in calls and ".so" not in calls, "nothing is loaded later", *[c for c in calls.splitlines() if "open" in c])


def main():
    tally = Tally()
    program = Path(sys.argv[1]).resolve()
    file_itself(tally, program)
    empty_root(tally, program)
    old_machine(tally, program)
    tally.finish()


if __name__ == "__main__":
    main()
