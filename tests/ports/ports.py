#!/usr/bin/env python3
"""Other machines: builds the library, the command and the test programs in C with another compiler, runs those of the suites unit and format, and compares what
the command prints and writes of every fixture with what COMMAND does.

  ports.py FOLDER COMMAND MACHINE...      COMMAND: that of this machine; MACHINE: i386, s390x (big-endian), arm64, musl

The libraries come from a root of that machine in FOLDER (mmdebstrap, extracted and never run; musl.py), so this one's packages are left alone. Programs for i386
and musl run as they are, the others under qemu-user. Tests in Python start commands by themselves and are left out. ISA-L, libmicrohttpd and libedit are left
out, too. Machines without a compiler or a root are skipped. A line for each machine goes to FOLDER/table.txt.
Ends with "N passed, N failed, N skipped", in test programs and outputs of the command.
"""
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import musl

SOURCE = Path(__file__).resolve().parents[2]
FIXTURES = SOURCE / "tests" / "data"
WORKERS = len(os.sched_getaffinity(0))
LONGEST = 3600  # seconds that one program may take, on a busy machine, too
PACKAGES = ["libc6-dev", "libcmocka-dev", "zlib1g-dev", "libzstd-dev", "libxxhash-dev", "liblzma-dev", "libexpat1-dev", "libdw-dev", "libelf-dev", "libcapstone-dev",
            "libyaml-dev", "libpcre2-dev", "libiberty-dev", "libssl-dev", "libgit2-dev", "libsqlite3-dev"]
SETUP = ["--buildtype=release", "-Dpython=disabled", "-Disal=disabled", "-Dserver=disabled", "-Dlibedit=disabled"]


class Machine:
    """A machine of Debian: family and endianness are Meson's words; flags are the compiler's; emulator is None where programs run as they are."""

    def __init__(self, name, triplet, multiarch, loader, family, endian, flags=(), emulator=None):
        self.name, self.triplet, self.multiarch, self.loader = name, triplet, multiarch, loader
        self.family, self.endian, self.flags, self.emulator = family, endian, list(flags), emulator

    options = SETUP

    def starter(self, root):
        """What a command line for one of its programs begins with."""
        return [self.emulator, "-L", str(root)] if self.emulator else []

    def lacks(self):
        needed = [f"{self.triplet}-gcc", "mmdebstrap", "meson"] + ([self.emulator] if self.emulator else [])
        return [program for program in needed if not shutil.which(program)]

    def cross(self, root):
        """The cross file."""
        compiler = [f"{self.triplet}-gcc", f"--sysroot={root}", *self.flags]
        links = [] if self.emulator else [f"-Wl,--dynamic-linker={root}{self.loader}", "-Wl,--disable-new-dtags",
                                          f"-Wl,-rpath={root}/usr/lib/{self.multiarch}:{root}/lib/{self.multiarch}"]
        wrapper = f"exe_wrapper = {self.starter(root)}\n" if self.emulator else ""
        found = ":".join(f"{root}/usr/{place}/pkgconfig" for place in (f"lib/{self.multiarch}", "share"))
        return (f"[binaries]\nc = {(['ccache'] if shutil.which('ccache') else []) + compiler}\nar = '{self.triplet}-ar'\nstrip = '{self.triplet}-strip'\npkgconfig = 'pkg-config'\n{wrapper}"
                f"[host_machine]\nsystem = 'linux'\ncpu_family = '{self.family}'\ncpu = '{self.family}'\nendian = '{self.endian}'\n"
                f"[properties]\nsys_root = '{root}'\npkg_config_libdir = '{found}'\nneeds_exe_wrapper = {'true' if self.emulator else 'false'}\n"
                f"[built-in options]\nc_link_args = {links}\n")

    def make_root(self, root, log):
        """Whether there is one."""
        if (root / "usr/lib" / self.multiarch / "libcmocka.so").exists():
            return True
        shutil.rmtree(root, ignore_errors=True)
        source = f"deb {musl.archive()} {musl.SUITE} main"
        if not run(log, "mmdebstrap", "--quiet", "--variant=extract", f"--architectures={self.name}", f"--include={','.join(PACKAGES)}", musl.SUITE, root, source):
            return False
        make_relative(root / "usr/lib" / self.multiarch, root)
        return True


class Musl(Machine):
    """This machine with another C library. What its root lacks is left out: elfutils asks for glibc; capstone and libgit2 are loaded when they are used, and here all is linked."""
    options = [*SETUP, "-Dlate=false", "-Ddwarf=disabled", "-Dcapstone=disabled", "-Dgit=disabled"]

    def __init__(self):
        super().__init__("musl", "x86_64-linux-musl", "x86_64-linux-musl", "", "x86_64", "little")

    def lacks(self):
        return [program for program in ("musl-gcc", "meson", *musl.PROGRAMS) if not shutil.which(program)]

    def cross(self, root):
        return (f"[binaries]\nc = {(['ccache'] if shutil.which('ccache') else []) + ['musl-gcc']}\nar = 'ar'\nstrip = 'strip'\npkgconfig = 'pkg-config'\n"
                f"[host_machine]\nsystem = 'linux'\ncpu_family = '{self.family}'\ncpu = '{self.family}'\nendian = '{self.endian}'\n"
                f"[properties]\npkg_config_libdir = '{root}/lib/pkgconfig'\nneeds_exe_wrapper = false\n"
                f"[built-in options]\nc_args = ['-I{root}/include']\nc_link_args = ['-L{root}/lib']\n")

    def make_root(self, root, log):
        return musl.make_root(root, lambda *args, **kwargs: run(log, *args, **kwargs))


# The figures of x87 differ from those of every other machine, so SSE2 is asked for: any x86 of the last twenty years has it.
MACHINES = {m.name: m for m in (
    Machine("i386", "i686-linux-gnu", "i386-linux-gnu", "/lib/ld-linux.so.2", "x86", "little", ["-msse2", "-mfpmath=sse"]),
    Machine("s390x", "s390x-linux-gnu", "s390x-linux-gnu", "/lib/ld64.so.1", "s390x", "big", emulator="qemu-s390x-static"),
    Machine("arm64", "aarch64-linux-gnu", "aarch64-linux-gnu", "/lib/ld-linux-aarch64.so.1", "aarch64", "little", emulator="qemu-aarch64-static"),
    Musl(),
)}


def say(*words, sep=" "):
    print(*words, sep=sep, flush=True)


def run(log, *args, **kwargs):
    """Whether a step went well; else the end of what it said."""
    with open(log, "ab") as out:
        result = subprocess.run([str(a) for a in args], stdout=out, stderr=subprocess.STDOUT, **kwargs)
    if result.returncode != 0:
        say(f"failed: {' '.join(map(str, args))[:200]}", *Path(log).read_text(errors="replace").splitlines()[-20:], sep="\n    ")
    return result.returncode == 0


def make_relative(folder, root):
    """Links to /lib are meant inside of the root; else the linker misses libm.so, takes libm.a, and fails."""
    for link in folder.iterdir():
        if link.is_symlink() and str(link.readlink()).startswith("/"):
            target = root / str(link.readlink()).lstrip("/")
            link.unlink()
            link.symlink_to(target)


def build(machine, root, folder, log):
    """Whether the command and the test programs are there."""
    file, to = folder / f"{machine.name}.ini", folder / machine.name
    file.write_text(machine.cross(root))
    if not (to / "build.ninja").exists():
        shutil.rmtree(to, ignore_errors=True)
        if not run(log, "meson", "setup", to, SOURCE, "--cross-file", file, *machine.options):
            return False
    return run(log, "ninja", f"-j{WORKERS}", "-C", to, "src/assay", *dict.fromkeys(test["cmd"][0].removeprefix(f"{to}/") for test in programs(to)))


def programs(to):
    """Tests that are programs in C of the two suites."""
    tests = json.loads(subprocess.run(["meson", "introspect", "--tests", str(to)], check=True, capture_output=True).stdout)
    for test in sorted(tests, key=lambda t: t["name"]):
        suites = {suite.split(":")[-1] for suite in test["suite"]}
        if test["cmd"][0].startswith(f"{to}/tests/") and suites & {"unit", "format"} and "long" not in suites:
            yield test


def went(args, **kwargs):
    """(exit status, standard output, standard error); a status of None: it took too long."""
    try:
        result = subprocess.run([str(a) for a in args], capture_output=True, timeout=LONGEST, **kwargs)
        return result.returncode, result.stdout, result.stderr
    except subprocess.TimeoutExpired:
        return None, b"", b"took too long"


def run_tests(machine, root, to, log):
    """Names of the test programs that failed, and how many there are."""
    tests = list(programs(to))

    def one(test):
        start = time.monotonic()
        status, out, err = went([*machine.starter(root), *test["cmd"]], env={**os.environ, **test["env"]})
        with open(log, "ab") as to_log:
            to_log.write(b"%s: exit %s in %.1f s\n" % (test["name"].encode(), str(status).encode(), time.monotonic() - start) + (out + err if status else b""))
        return None if status == 0 else test["name"]
    with ThreadPoolExecutor(WORKERS) as pool:
        return [name for name in pool.map(one, tests) if name], len(tests)


def questions(command):
    """What the command is asked: four verbs of each fixture, and Callgrind text in each format that is written to one file."""
    for path in sorted(FIXTURES.iterdir()):
        for verb in ("info", "top", "tree", "check"):
            yield [verb, "--json", "--no-symbols", "-j1", path.name]
    for row in json.loads(went([command, "formats", "--json"])[1])["formats"]:
        if row["writes"]:
            yield ["convert", "-j1", "demo.callgrind", "--to", row["name"], "-o", "-"]


def compare(machine, root, to, command):
    """Questions whose answers differ, and how many there are."""
    asked = list(questions(command))
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}

    def one(question):
        there = went([*machine.starter(root), to / "src/assay", *question], cwd=FIXTURES, env=env)
        return None if there[:2] == went([command, *question], cwd=FIXTURES, env=env)[:2] else " ".join(question)
    with ThreadPoolExecutor(WORKERS) as pool:
        return [name for name in pool.map(one, asked) if name], len(asked)


def build_and_test(machine, folder, command):
    """(passed, failed) or None for a machine that is skipped."""
    root, to, log, start = folder / f"{machine.name}-root", folder / machine.name, folder / f"{machine.name}.log", time.monotonic()
    log.unlink(missing_ok=True)
    if not machine.make_root(root, log):
        return None
    if not build(machine, root, folder, log):
        return 0, 1
    warnings = sum("warning:" in line for line in log.read_text(errors="replace").split("The Meson build system")[-1].splitlines())
    failed, tests = run_tests(machine, root, to, log)
    differ, outputs = compare(machine, root, to, command)
    row = f"{machine.name:<8}{warnings:>4} warnings  {tests - len(failed):>4} of {tests} test programs pass  {outputs - len(differ):>4} of {outputs} outputs are the same bytes"
    with open(folder / "table.txt", "a", encoding="utf-8") as table:
        table.write(f"{row}\n")
    say(f"{row} ({time.monotonic() - start:.0f} s)", *failed, *differ, sep="\n    ")
    return tests + outputs - len(failed) - len(differ), len(failed) + len(differ) + (warnings > 0)


def main():
    folder, command, names = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    os.nice(5)
    passed = failed = skipped = 0
    for name in names:
        lacks = MACHINES[name].lacks()
        result = None if lacks else build_and_test(MACHINES[name], folder, command)
        if result is None:
            skipped += 1
            say(f"skipped {name}: {', '.join(lacks) or 'no root'}")
            continue
        passed, failed = passed + result[0], failed + result[1]
    say(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0 if passed else 77)


if __name__ == "__main__":
    main()
