#!/usr/bin/env python3
"""No source file over 800 lines, no function over 80; every C file begins by saying what it is for."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SOURCE, Tally  # noqa: E402

MAX_FILE, MAX_FUNCTION = 800, 80
FOLDERS = ("src", "include", "tests", "examples", "bench", "python")
MADE = ("python/assay/_abi.py",)  # by python/generate.py


def long_functions(lines):
    """(name, length) of functions whose body, between a brace in the first column and the next, is too long."""
    start = None
    for n, line in enumerate(lines):
        if line.startswith("{"):
            start = n
        elif line.startswith("}") and start is not None:
            if n - start - 1 > MAX_FUNCTION:
                name = re.search(r"(\w+)\(", lines[start - 1])
                yield name.group(1) if name else f"line {start}", n - start - 1
            start = None


def main():
    tally = Tally()
    files = [p for folder in FOLDERS for p in sorted((SOURCE / folder).rglob("*")) if p.suffix in (".c", ".h", ".py", ".sh") and p.is_file()]
    for path in files + [SOURCE / "dev"]:
        name = path.relative_to(SOURCE)
        lines = path.read_text(encoding="utf-8").split("\n")
        tally.check(len(lines) <= MAX_FILE or name.as_posix() in MADE, f"{name}: {len(lines)} lines, at most {MAX_FILE}")
        if path.suffix in (".c", ".h"):
            tally.check(lines[0].startswith("/*"), f"{name}: begins with what it is for")
            tally.check(not (long := list(long_functions(lines))), f"{name}: functions of at most {MAX_FUNCTION} lines", *long)
    tally.finish()


if __name__ == "__main__":
    main()
