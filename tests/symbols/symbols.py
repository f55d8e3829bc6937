#!/usr/bin/env python3
"""Symbols against other programs: every address of a compiled program against addr2line and llvm-symbolizer, debug files apart, and the chains that the
database of the demo measurement has.

    symbols.py SYMBOLS_ASK"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, SOURCE, Tally  # noqa: E402

ASK = sys.argv[1]
HERE = SOURCE / "tests" / "symbols"
LLVM = shutil.which("llvm-symbolizer-14") or shutil.which("llvm-symbolizer")


def run(*args, **more):
    return subprocess.run([str(a) for a in args], capture_output=True, text=True, timeout=120, **more)


def ask(*args, addresses):
    """[(address, [scope])] with scope = [kind, relation, name, link name, file, line]; and what went to standard error.
    Loops are those of structure files only: loops.py has the others."""
    result = run(ASK, "-l", *args, input="\n".join(f"{a:x}" for a in addresses))
    assert result.returncode == 0, result.stderr
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    return [(int(r[0], 16), [s.split(";") for s in r[1:]]) for r in rows], result.stderr


def frames(scopes):
    """As addr2line has them, innermost first: (function as the linker knows it, file:line)."""
    out, place = [], "??:0"
    for kind, _, name, link, file, line in reversed([s[:6] for s in scopes]):
        if kind == "line":
            place = f"{file}:{line}"
        elif kind in ("function", "inlined"):
            out.append((link or name, place))
            place = "??:0"
    return out if out or place == "??:0" else [("??", place)]


def others(program, addresses):
    """What addr2line says of C programs, llvm-symbolizer of C++ ones; in the same form. Without optimisation addr2line 2.40 mistakes the first file
    of a DWARF 5 table for the second one."""
    command = ["addr2line", "-a", "-i", "-f", "-e", program]
    if program.suffix == ".cc" or program.stem == "o0":
        command = [LLVM, "--output-style=GNU", "--no-demangle", "-a", "-i", "-f", "-e", program]
    result = run(*command, input="\n".join(f"0x{a:x}" for a in addresses))
    out, rows = [], result.stdout.splitlines()
    i = 0
    while i < len(rows):
        address, i, found = int(rows[i], 16), i + 1, []
        while i < len(rows) and not re.match(r"^0x[0-9a-f]+$", rows[i]):
            found.append((rows[i], re.sub(r" \(discriminator \d+\)", "", rows[i + 1])))
            i += 2
        out.append((address, found))
    return out


def text_addresses(program):
    for line in run("objdump", "-h", program).stdout.splitlines():
        parts = line.split()
        if len(parts) > 4 and parts[1] == ".text":
            return range(int(parts[3], 16), int(parts[3], 16) + int(parts[2], 16))
    return range(0)


def normal(found):
    return [(name, place.replace("/./", "/")) for name, place in found]


def compare(tally, program, what, *options):
    addresses = text_addresses(program)
    ours, err = ask(*options, program, addresses=addresses)
    theirs = others(program, addresses)
    wrong, compared = [], 0
    for (a, scopes), (b, found) in zip(ours, theirs):
        assert a == b, (a, b)
        if found[0][1].startswith("??") or found[0][1].endswith((":?", ":0")):
            if any(s[0] == "line" for s in scopes):
                wrong.append((hex(a), frames(scopes), found))
            continue
        compared += 1
        # llvm-symbolizer names the outermost function by its ELF symbol
        if normal(frames(scopes)) != normal([(n.removesuffix(".cold"), p) for n, p in found]):
            wrong.append((hex(a), frames(scopes), found))
    tally.check(len(ours) == len(addresses) and compared > 200 and not wrong, f"{what}: {compared} addresses as the other program has them", *wrong[:3], err)


def compile_all(tally, work):
    for name, *flags in (("o2.c", "-O2"), ("o0.c", "-O0"), ("dwarf4.c", "-O2", "-gdwarf-4"), ("compressed.c", "-O2", "-gz=zlib"),
                         ("dropped.c", "-O1", "-ffunction-sections", "-Wl,--gc-sections"), ("fixed.c", "-O2", "-no-pie"),
                         ("o2.cc", "-O2"), ("dwarf4.cc", "-O2", "-gdwarf-4")):
        program = work / name
        if (name.endswith(".cc") or name == "o0.c") and not LLVM:
            tally.skip(name, "no llvm-symbolizer")
            continue
        made = run("g++" if name.endswith(".cc") else "gcc", "-g", *flags, "-Wl,--build-id", "-o", program, HERE / f"program{program.suffix}", cwd=work)
        if tally.check(made.returncode == 0, f"compile {name}", made.stderr):
            compare(tally, program, name)


def separate(tally, work):
    """A program whose debug information was taken out: found by link, by build id, refused when it is another's."""
    place = work / "apart"
    place.mkdir()
    shutil.copy(work / "o2.c", place / "app")
    run("objcopy", "--only-keep-debug", "app", "app.debug", cwd=place)
    run("objcopy", "--strip-debug", "--add-gnu-debuglink=app.debug", "app", cwd=place)
    whole = [s for _, s in ask(work / "o2.c", addresses=text_addresses(work / "o2.c"))[0]]

    def same(*options, module=place / "app"):
        answer, err = ask(*options, module, addresses=text_addresses(work / "o2.c"))
        return [s for _, s in answer] == whole, err

    ok, err = same()
    tally.check(ok and "app.debug" in err, "debug file by link in the same folder", err)
    (place / ".debug").mkdir()
    os.rename(place / "app.debug", place / ".debug" / "app.debug")
    ok, err = same()
    tally.check(ok, "debug file by link in .debug", err)
    os.rename(place / ".debug" / "app.debug", place / "kept")
    build_id = re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", work / "o2.c").stdout).group(1)
    store = work / "store" / ".build-id" / build_id[:2]
    store.mkdir(parents=True)
    shutil.copy(place / "kept", store / (build_id[2:] + ".debug"))
    ok, err = same("-s", work / "store")
    tally.check(ok, "debug file by build id in a folder", err)
    ok, err = same("-f", "-s", work / "store", "-R", f"/gone={place}", module="/gone/app")
    tally.check(ok, "the same with --foreign and a map", err)
    ok, err = same("-i", build_id, "-s", work / "store", module="/gone/app")
    tally.check(ok, "debug file alone, by the build id of the profile", err)
    ok, err = same("-s", work / "store", module="/gone/app")
    tally.check(not ok and "nothing found" in err, "nothing without a build id", err)
    (place / "app.debug").write_bytes((place / "kept").read_bytes() + b"x")
    ok, err = same()
    tally.check(not ok and "SY06" in err and "symbol table of" in err, "a debug file with another checksum is refused", err)
    os.remove(place / "app.debug")
    _, err = ask("-i", "00112233", place / "app", addresses=[0x1000])
    tally.check("SY03" in err and "nothing found" in err, "another build id is refused", err)
    _, err = ask("-f", place / "app", addresses=[0x1000])
    tally.check("nothing found" in err, "--foreign does not open a path of the profile", err)
    ok, err = same("-s", work / "o2.c", module="/gone/o2.c")
    tally.check(ok, "a file given by name", err)
    folder, err = ask("-R", f"/x/*/y={work}", "/x/any/y/o2.c", addresses=text_addresses(work / "o2.c"))
    tally.check([s for _, s in folder] == whole, "a map with a component of any name", err)
    tally.check("nothing found" in ask("-R", f"/x/an={work}", "/x/any/o2.c", addresses=[0x1000])[1], "a map takes whole components")


RELATIONS = {"in": 0, "call": 1, "inlined_call": 2}
KINDS = {"function": 0, "inlined": 0, "loop": 1, "line": 2}


class Meta:
    """The contexts of a meta.db: paths of (kind, relation, function, file, line) from the entry points on."""

    def __init__(self, path):
        self.data = Path(path).read_bytes()
        self.paths = set()
        tree = self.u64(0x48)
        for i in range(struct.unpack_from("<H", self.data, tree + 8)[0]):
            entry = self.u64(tree) + i * self.data[tree + 10]
            self.walk(self.u64(entry + 8), self.u64(entry), ())

    def u64(self, off):
        return struct.unpack_from("<Q", self.data, off)[0]

    def text(self, off):
        return self.data[off:self.data.index(b"\0", off)].decode()

    def label(self, off):
        flags, relation, kind = self.data[off + 0x14:off + 0x17]
        at, function, file, line = off + 0x20, None, None, 0
        if flags & 1:
            function = self.text(self.u64(self.u64(at)))
            at += 8
        if flags & 2:
            file = self.text(self.u64(self.u64(at) + 8))
            line = struct.unpack_from("<I", self.data, at + 8)[0]
        return kind, relation, function, file, line

    def walk(self, begin, size, prefix):
        off = begin
        while off < begin + size:
            path = prefix + (self.label(off),)
            self.paths.add(path)
            self.walk(self.u64(off + 8), self.u64(off), path)
            off += 0x20 + 8 * self.data[off + 0x17]


def label(scope):
    kind, relation, name, _, file, line = scope[:6]
    place = (None, 0) if KINDS[kind] == 0 else ("src" + file, int(line))
    return (KINDS[kind], RELATIONS[relation], name or None) + place


def demo(tally):
    folder = SHARED / "data" / "hpcrun" / "demo"
    if not folder.is_dir():
        tally.skip("demo", "no shared data")
        return
    addresses = [0x401064, 0x4011b8, 0x4011c0, 0x40106e, 0x401279, 0x40126b, 0x40121d, 0x401208, 0x40123c, 0x401282, 0x401225]
    for name, options, source in (("demo", ["-c", "-R", f"/tmp/demo/hpcdemo={folder}"], "DWARF of"),
                                  ("demo-struct", ["-d", folder / "demo-struct.m", "-f"], "structure file")):
        paths = Meta(folder / f"{name}.d" / "meta.db").paths
        pieces = {p[i:j] for p in paths for i in range(len(p)) for j in range(i + 1, len(p) + 1)}
        answers, err = ask(*options, "/tmp/demo/hpcdemo/demo", addresses=addresses)
        for address, scopes in answers:
            chain = tuple(label(s) for s in scopes)
            tally.check(chain and chain in pieces, f"{name}.d has the chain of {address:x}", chain, err)
        # and nothing is in the database that is not in a chain
        known = {label(s) for _, scopes in answers for s in scopes}
        extra = {piece for path in paths for piece in path if piece[0] != 3 and piece[2] not in ("<unknown>",)} - known
        tally.check(not [e for e in extra if e[2] or e[3]], f"{name}.d has no other functions, loops and lines", extra)
        tally.check(source in err, f"{name}: {source}", err)


def main():
    tally = Tally()
    if not all(shutil.which(p) for p in ("gcc", "g++", "addr2line", "objcopy", "objdump", "readelf")):
        print("0 passed, 0 failed, 1 skipped")
        return
    with tempfile.TemporaryDirectory() as work:
        work = Path(os.path.realpath(work))
        compile_all(tally, work)
        separate(tally, work)
        demo(tally)
    tally.finish()


if __name__ == "__main__":
    main()
