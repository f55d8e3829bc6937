#!/usr/bin/env python3
"""Libraries that are loaded when they are used, where they are not installed: whoever needs one says so, and the others do without. Files that are no libraries stand in their place."""
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, FIXTURES, Tally, run  # noqa: E402


def sonames(folder):
    """Those that the build found, of the tables of functions that it made."""
    return {m[1] for path in folder.glob("late_*.c") for m in re.finditer(r'soname = "([^"]+)"', path.read_text(encoding="utf-8"))}


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        names = sonames(Path(ASSAY).parent)
        for name in names:
            Path(folder, name).write_text("not a library\n", encoding="utf-8")

        def assay(*args):
            return run(ASSAY, *args, env={**os.environ, "LD_LIBRARY_PATH": folder, "LC_ALL": "C"})

        tally.check(names, "the build loads some libraries when they are used")
        version = assay("--version")
        tally.equal((version.returncode, version.stderr), (0, b""), "--version needs none of them")
        top = assay("top", FIXTURES / "demo.callgrind")
        tally.check(top.returncode == 0 and b"is_prime" in top.stdout, "nor does top", top.stderr)
        for name, args in (("libsqlite3", ("query", FIXTURES / "demo.callgrind", "select 1")),
                           ("libsqlite3", ("convert", "--to", "sqlite", "-o", Path(folder, "out.db"), FIXTURES / "demo.callgrind")),
                           ("libgit2", ("cov", "init", "--git-dir", folder))):
            if any(n.startswith(name) for n in names):
                r = assay(*args)
                tally.check(r.returncode != 0 and re.search(rb"the library %s\S* cannot be loaded; install it" % name.encode(), r.stderr), f"{args[0]} says that {name} is missing", r.returncode, r.stderr)
        tally.check(not Path(folder, "out.db").exists(), "and leaves no file behind")
        if any(n.startswith("libdw") for n in names):
            r = assay("info", "--symbols", ASSAY, FIXTURES / "demo.perf-data")
            tally.check(r.returncode == 0 and re.search(rb"SY05: \S+: the library lib(elf|dw)\S* cannot be loaded", r.stdout), "programs that cannot be read are told", r.stdout, r.stderr)
    tally.finish()


if __name__ == "__main__":
    main()
