#!/usr/bin/env python3
"""python/assay/_abi.py and _schema.py are what the headers and schema.def say, and every structure has the sizes and offsets that the compiler gives it."""
import ctypes
import sys
import tempfile
from pathlib import Path

from bindings import assay
from support import SOURCE, Tally, run, said

abi, lib = assay._abi, assay._library.lib


def compiled(tally, tmp):
    """Name or name.member -> number, as the compiler has it."""
    source, program = Path(tmp, "layout.c"), Path(tmp, "layout")
    source.write_bytes(run(sys.executable, SOURCE / "python" / "generate.py", "--layout").stdout)
    result = run("cc", "-std=c17", "-I", SOURCE / "include", source, "-o", program)
    if not tally.check(result.returncode == 0, "the program of the layouts builds", said(result)):
        return {}
    return {name: int(value) for name, value in (line.split() for line in run(program).stdout.decode().splitlines())}


def main():
    tally = Tally()
    result = run(sys.executable, SOURCE / "python" / "generate.py", "--check")
    tally.check(result.returncode == 0, "python/generate.py --check", result.stdout.decode(), said(result))
    with tempfile.TemporaryDirectory() as tmp:
        found = compiled(tally, tmp)
    tally.check(len(found) > 400, "structures and members", len(found))
    for name, value in found.items():
        record, _, member = name.partition(".")
        kind = getattr(abi, record)
        tally.equal(getattr(kind, member).offset if member else ctypes.sizeof(kind), value, name)
    exported = set((SOURCE / "tests/structure/symbols.txt").read_text().split())
    mine = {n for n in exported if n.startswith("assay_")}
    tally.equal(set(abi.FUNCTIONS) ^ mine, set(), "the functions are those that the library exports")
    tally.check(all(hasattr(lib, name) for name in abi.FUNCTIONS), "each of them is there")
    tally.finish()


if __name__ == "__main__":
    main()
