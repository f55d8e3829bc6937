#!/usr/bin/env python3
"""Other machines: builds the library, the command and the test programs in C with Debian's cross compiler, and runs the suites unit and format.

  ports.py FOLDER MACHINE...      MACHINE: i386, s390x (big-endian), arm64

The libraries come from a root of that machine in FOLDER (mmdebstrap, extracted and never run), so this one's packages are left alone. Programs for i386 run as
they are, the others under qemu-user. Tests in Python start commands by themselves and are left out. ISA-L, libmicrohttpd and libedit are left out, too.
Machines without a compiler or a root are skipped. Ends with "N passed, N failed, N skipped", in test programs.
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PACKAGES = ["libc6-dev", "libcmocka-dev", "zlib1g-dev", "libzstd-dev", "libxxhash-dev", "liblzma-dev", "libexpat1-dev", "libdw-dev", "libelf-dev", "libcapstone-dev",
            "libyaml-dev", "libpcre2-dev", "libiberty-dev", "libssl-dev", "libgit2-dev", "libsqlite3-dev"]
MIRROR = "deb http://deb.debian.org/debian bookworm main"
SETUP = ["--buildtype=release", "-Dpython=disabled", "-Disal=disabled", "-Dserver=disabled", "-Dlibedit=disabled"]


class Machine:
    """family and endianness are Meson's words; flags are the compiler's; emulator is None where programs run as they are."""

    def __init__(self, name, triplet, multiarch, loader, family, endian, flags=(), emulator=None):
        self.name, self.triplet, self.multiarch, self.loader = name, triplet, multiarch, loader
        self.family, self.endian, self.flags, self.emulator = family, endian, list(flags), emulator

    def lacks(self):
        needed = [f"{self.triplet}-gcc", "mmdebstrap", "meson"] + ([self.emulator] if self.emulator else [])
        return [program for program in needed if not shutil.which(program)]

    def cross(self, root):
        """The cross file."""
        compiler = [f"{self.triplet}-gcc", f"--sysroot={root}", *self.flags]
        links = [] if self.emulator else [f"-Wl,--dynamic-linker={root}{self.loader}", "-Wl,--disable-new-dtags",
                                          f"-Wl,-rpath={root}/usr/lib/{self.multiarch}:{root}/lib/{self.multiarch}"]
        wrapper = f"exe_wrapper = {[self.emulator, '-L', str(root)]}\n" if self.emulator else ""
        found = ":".join(f"{root}/usr/{place}/pkgconfig" for place in (f"lib/{self.multiarch}", "share"))
        return (f"[binaries]\nc = {(['ccache'] if shutil.which('ccache') else []) + compiler}\nar = '{self.triplet}-ar'\nstrip = '{self.triplet}-strip'\npkgconfig = 'pkg-config'\n{wrapper}"
                f"[host_machine]\nsystem = 'linux'\ncpu_family = '{self.family}'\ncpu = '{self.family}'\nendian = '{self.endian}'\n"
                f"[properties]\nsys_root = '{root}'\npkg_config_libdir = '{found}'\nneeds_exe_wrapper = {'true' if self.emulator else 'false'}\n"
                f"[built-in options]\nc_link_args = {links}\n")


# The figures of x87 differ from those of every other machine, so SSE2 is asked for: any x86 of the last twenty years has it.
MACHINES = {m.name: m for m in (
    Machine("i386", "i686-linux-gnu", "i386-linux-gnu", "/lib/ld-linux.so.2", "x86", "little", ["-msse2", "-mfpmath=sse"]),
    Machine("s390x", "s390x-linux-gnu", "s390x-linux-gnu", "/lib/ld64.so.1", "s390x", "big", emulator="qemu-s390x-static"),
    Machine("arm64", "aarch64-linux-gnu", "aarch64-linux-gnu", "/lib/ld-linux-aarch64.so.1", "aarch64", "little", emulator="qemu-aarch64-static"),
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


def make_root(machine, root, log):
    if (root / "usr/lib" / machine.multiarch / "libcmocka.so").exists():
        return True
    shutil.rmtree(root, ignore_errors=True)
    say(f"{machine.name}: extracting {' '.join(PACKAGES)} into {root}")
    if not run(log, "mmdebstrap", "--quiet", "--variant=extract", f"--architectures={machine.name}", f"--include={','.join(PACKAGES)}", "bookworm", root, MIRROR):
        return False
    make_relative(root / "usr/lib" / machine.multiarch, root)
    return True


def make_relative(folder, root):
    """Links to /lib are meant inside of the root; else the linker misses libm.so, takes libm.a, and fails."""
    for link in folder.iterdir():
        if link.is_symlink() and str(link.readlink()).startswith("/"):
            target = root / str(link.readlink()).lstrip("/")
            link.unlink()
            link.symlink_to(target)


def programs(build):
    """Tests that are programs in C of the two suites: (name, path in the build folder)."""
    tests = json.loads(subprocess.run(["meson", "introspect", "--tests", str(build)], check=True, capture_output=True).stdout)
    for test in tests:
        path = next((Path(word) for word in test["cmd"] if word.startswith(f"{build}/")), None)
        suites = {suite.split(":")[-1] for suite in test["suite"]}
        if path and "python" not in test["cmd"][0] and suites & {"unit", "format"} and "long" not in suites:
            yield test["name"], path.relative_to(build)


def build_and_test(machine, folder):
    """(passed, failed) or None for a machine that is skipped."""
    root, build, log = folder / f"{machine.name}-root", folder / machine.name, folder / f"{machine.name}.log"
    log.unlink(missing_ok=True)
    if not make_root(machine, root, log):
        return None
    file = folder / f"{machine.name}.ini"
    file.write_text(machine.cross(root))
    if not (build / "build.ninja").exists():
        shutil.rmtree(build, ignore_errors=True)
        if not run(log, "meson", "setup", build, SOURCE, "--cross-file", file, *SETUP):
            return 0, 1
    tests = sorted(programs(build))
    if not run(log, "ninja", "-C", build, "src/assay", *dict.fromkeys(path for _, path in tests)):
        return 0, 1
    warnings = sum("warning:" in line for line in log.read_text(errors="replace").splitlines())
    run(log, "meson", "test", "-C", build, "--no-rebuild", "--timeout-multiplier", "20", *(name for name, _ in tests))
    results = [json.loads(line) for line in (build / "meson-logs/testlog.json").read_text().splitlines()]
    mine = {str(build / path) for _, path in tests}  # names are not enough: a test in Python may have the same
    results = [r for r in results if mine & set(r["command"])]
    failed = [r["name"] for r in results if r["result"] not in ("OK", "SKIP")]
    say(f"{machine.name}: {len(results)} test programs, {len(failed)} failed, {warnings} warnings", *failed, sep="\n    ")
    return len(results) - len(failed), len(failed) + (warnings > 0)


def main():
    folder, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    passed = failed = skipped = 0
    for name in names:
        lacks = MACHINES[name].lacks()
        result = None if lacks else build_and_test(MACHINES[name], folder)
        if result is None:
            skipped += 1
            say(f"skipped {name}: {', '.join(lacks) or 'no root'}")
            continue
        passed, failed = passed + result[0], failed + result[1]
    say(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0 if passed else 77)


if __name__ == "__main__":
    main()
