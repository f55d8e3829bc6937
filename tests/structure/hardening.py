#!/usr/bin/env python3
"""The hardening that meson.build asks for, and what it leaves out of the start, are in the binaries: read from their headers and symbols.

  hardening.py PROGRAM LIBRARY FLAG...     FLAG: what the compiler and the linker took; late: as -Dlate=true
"""
import platform
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import Tally, run  # noqa: E402


def readelf(path, *what):
    return run("readelf", "-W", *what, path, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout.decode("utf-8", "replace")


def check(tally, path, flags, is_program):
    name = Path(path).name
    head, segments, dynamic, notes = readelf(path, "-h"), readelf(path, "-l"), readelf(path, "-d"), readelf(path, "-n")
    wanted = {m[1] for m in re.finditer(r" UND (\S+?)(?:@|$)", readelf(path, "--dyn-syms"), re.M)}
    if "late" in flags:
        late = re.findall(r"\(NEEDED\).*\[(lib(?:git2|microhttpd|gnutls|crypto|capstone|yaml|dw|elf|sqlite3|edit)\S*)\]", dynamic)
        tally.check(not late, f"{name}: libraries that few commands need are not loaded at the start", late)
    tally.check(re.search(r"Type:\s+DYN", head), f"{name}: can be loaded anywhere", head)
    if is_program:
        tally.check(re.search(r"\(FLAGS_1\).*PIE", dynamic), f"{name}: is a position-independent executable", dynamic)
    if "-Wl,-z,relro" in flags:
        tally.check("GNU_RELRO" in segments, f"{name}: relocations become read-only", segments)
    if "-Wl,-z,now" in flags:
        tally.check(re.search(r"BIND_NOW|FLAGS_1.*NOW", dynamic), f"{name}: all symbols are bound at the start", dynamic)
    if "-Wl,-z,noexecstack" in flags:
        tally.check(re.search(r"GNU_STACK.* RW ", segments), f"{name}: the stack is no code", segments)
    tally.check(not re.search(r"LOAD.* RWE ", segments), f"{name}: nothing is both writable and code", segments)
    if "-fstack-protector-strong" in flags:
        tally.check("__stack_chk_fail" in wanted, f"{name}: stacks are guarded")
    if any(f.startswith("-D_FORTIFY_SOURCE") for f in flags):
        tally.check(any(w.endswith("_chk") for w in wanted), f"{name}: calls are fortified", sorted(wanted)[:40])
    if "-fcf-protection" in flags and platform.machine() == "x86_64" and "x86 feature" in readelf("/lib/x86_64-linux-gnu/libc.so.6", "-n"):
        tally.check("IBT" in notes and "SHSTK" in notes, f"{name}: control flow is guarded", notes)


def main():
    tally = Tally()
    program, library, *flags = sys.argv[1:]
    if not shutil.which("readelf"):
        tally.skip("hardening", "no readelf")
    else:
        check(tally, program, flags, True)
        check(tally, library, flags, False)
    tally.finish()


if __name__ == "__main__":
    main()
