#!/usr/bin/env python3
"""Every C file of a build, looked at by other compilers: none of them has anything to say.

  compilers.py BUILD TABLE COMPILER...      those that are not installed are skipped; a line for each other goes to TABLE
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What one compiler takes and another does not, and what makes files.
LEFT_OUT = re.compile(r"-o\b|-M[DQF]|-c$|-fdiagnostics-color|-Winvalid-pch|-fstack-clash")
LINE = re.compile(r".*(?:warning|error): .*")


def arguments(entry):
    """Those of the compiler, without its name and what it writes."""
    words, kept = shlex.split(entry["command"]), []
    skip = 2 if "ccache" in words[0] else 1
    rest = iter(words[skip:])
    for word in rest:
        if word in ("-o", "-MQ", "-MF"):
            next(rest)
        elif not LEFT_OUT.match(word):
            kept.append(word)
    return kept


def said(compiler, entry):
    result = subprocess.run([compiler, "-fsyntax-only", *arguments(entry)], cwd=entry["directory"], capture_output=True, text=True)
    lines = LINE.findall(result.stderr)
    return lines or ([f"{entry['file']}: exit {result.returncode}"] if result.returncode else [])


def main():
    build, table, compilers = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    os.nice(5)
    entries = [e for e in json.loads((build / "compile_commands.json").read_text()) if e["file"].endswith(".c")]
    entries = list({e["file"]: e for e in entries}.values())
    passed = failed = skipped = 0
    for compiler in compilers:
        if not shutil.which(compiler):
            print(f"skipped {compiler}: it is not installed")
            skipped += 1
            continue
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            lines = [line for found in pool.map(lambda e, c=compiler: said(c, e), entries) for line in found]
        row = f"{compiler:<8}{len(lines):>4} warnings  {len(entries):>4} files"
        with open(table, "a", encoding="utf-8") as rows:
            rows.write(f"{row}\n")
        print(row, *lines[:20], sep="\n    ", flush=True)
        passed, failed = passed + (not lines), failed + bool(lines)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0 if passed else 77)


if __name__ == "__main__":
    main()
