#!/usr/bin/env python3
"""Loops in machine code: programs with known loops, compiled in many ways (loops.c says what must be found), and structure files of hpcstruct.

Without arguments but the program that asks, compiles and compares. With binaries (each has NAME.hpcstruct beside it) compares with these instead:
    loops.py build/tests/symbols_ask --struct BINARY..."""
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, SOURCE, Tally, assay, said  # noqa: E402

PROGRAM = SOURCE / "tests" / "symbols" / "loops.c"
BUILDS = [("gcc", "-O0"), ("gcc", "-O1"), ("gcc", "-O2"), ("gcc", "-O2", "-no-pie", "-fno-pie"), ("gcc", "-O3"), ("gcc", "-Os"), ("gcc", "-O0", "-no-pie", "-fno-pie"),
          ("clang-14", "-O0"), ("clang-14", "-O1"), ("clang-14", "-O2"), ("clang-14", "-O2", "-no-pie", "-fno-pie")]
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(\S*)")


def markers():
    """Lines of loops by name; for each line of code the chains of names that it may lie in."""
    loops, inside = {}, {}
    for number, text in enumerate(PROGRAM.read_text(encoding="utf-8").split("\n"), 1):
        if found := re.search(r"/\* @loop (\w+) \*/", text):
            loops[found.group(1)] = number
        if found := re.search(r"/\* @in ?([\w |]*)\*/", text):
            inside[number] = [way.split() for way in found.group(1).split("|")]
    return loops, inside


def calls_of(binary):
    """Addresses of the call instructions, by function."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", binary], capture_output=True, text=True, check=True).stdout
    name = None
    for line in text.split("\n"):
        if head := re.match(r"^[0-9a-f]+ <(\w+)>:", line):
            name = head.group(1)
        elif (found := INSTRUCTION.match(line)) and found.group(2) in ("call", "jmp") and line.endswith("<touch>"):
            yield name, int(found.group(1), 16)


def ask(program, binary, addresses, *options):
    """Chains by address: (kind, name, file, line, address of a loop)."""
    done = subprocess.run([program, *options, "-n", binary], input="".join(f"{a:x}\n" for a in addresses), capture_output=True, text=True, check=True)
    chains = {}
    for line in done.stdout.split("\n"):
        address, *scopes = line.split("\t")
        if address:
            parts = [s.split(";") for s in scopes]
            chains[int(address, 16)] = [(p[0], p[3] or p[2], p[4], int(p[5]), int(p[6], 16) if len(p) > 6 else None) for p in parts]
    return chains


def compare_program(tally, program, folder, build):
    loops, inside = markers()
    binary = Path(folder) / "loops"
    title = " ".join(build)
    subprocess.run([*build, "-g", "-fcf-protection=none", "-o", binary, PROGRAM], check=True)
    calls = list(calls_of(binary))
    chains = ask(program, binary, [a for _, a in calls])
    plain = ask(program, binary, [a for _, a in calls], "-l")
    by_line = {}
    for name, address in calls:
        chain = chains[address]
        by_line.setdefault(chain[-1][3], []).append((name, [s for s in chain if s[0] == "loop"]))
        tally.equal([s for s in chain if s[0] != "loop"], plain[address], f"{title}: {name} at {address:x}: the rest of the chain is as without loops")
        tally.check(chain[0][0] == "function" and not any(s[0] == "loop" for s in plain[address]), f"{title}: {name} at {address:x}: -l gives no loops")
    is_plain = "-O0" in build
    for line in sorted(set(inside) & set(by_line)):
        compare_line(tally, f"{title}: line {line}", [[loops.get(n) for n in way] for way in inside[line]], by_line[line], is_plain)
    # a compiler that optimises may make one call of several equal ones
    tally.check(len(set(inside) & set(by_line)) > len(inside) * (0.99 if is_plain else 0.7), f"{title}: the marked lines were asked for")
    place_of_inlined(tally, title, calls, chains)


def compare_line(tally, title, wanted, copies, is_plain):
    """Each copy of the call must lie in the loops of one of the ways. When the compiler optimises, it may take turns out of a loop: then some copies lie in
    fewer, but one must lie in all of them. The line of a loop that gotos make is that of any of its conditions (None)."""
    whole = 0
    for name, found in copies:
        lines = [s[3] for s in found]
        matches = [way for way in wanted if len(lines) <= len(way) and all(w in (None, n) for w, n in zip(way, lines))]
        exact = any(len(way) == len(lines) for way in matches)
        whole += exact
        tally.check(exact if is_plain else matches, f"{title} in {name}", f"found {lines}, expected {wanted}")
        tally.check(all(s[2].endswith("/loops.c") for s in found), f"{title} in {name}: the file of its loops")
    tally.check(whole, f"{title}: one copy in all of its loops", f"{[[s[3] for s in f] for _, f in copies]}, expected {wanted}")


def place_of_inlined(tally, title, calls, chains):
    """A loop of an inlined function lies in its frame; one around the call lies outside of it."""
    for name, address in calls:
        kinds = [s[0] for s in chains[address]]
        if name == "inlined" and "inlined" in kinds:
            tally.equal(kinds, ["function", "line", "inlined", "loop", "line"], f"{title}: a loop in an inlined function")
        if name == "inlined_in_loop" and "inlined" in kinds:
            tally.equal(kinds, ["function", "loop", "line", "inlined", "loop", "line"], f"{title}: a loop around an inlined one")


def without_source(tally, program, folder):
    """A program without debug information has the same loops, in the file [NAME]; one without symbols none."""
    binary = Path(folder) / "bare"
    subprocess.run(["gcc", "-O1", "-o", binary, PROGRAM], check=True)
    chains = ask(program, binary, [a for _, a in calls_of(binary)])
    depth = [sum(s[0] == "loop" for s in c) for c in chains.values()]
    tally.equal(max(depth), 3, "without debug information: the deepest nest")
    files = {(s[2], s[3]) for c in chains.values() for s in c if s[0] == "loop"}
    tally.equal(files, {("[bare]", 0)}, "without debug information: the file of loops")


def too_large(tally, program, folder):
    """A function of more than a mebibyte is left alone, with a word."""
    source, binary = Path(folder) / "large.c", Path(folder) / "large"
    source.write_text('int main(int n, char **v) { do { __asm__ volatile(".skip 1100000, 0x90"); } while (--n > 0); return v == 0; }\n', encoding="ascii")
    subprocess.run(["gcc", "-O1", "-g", "-o", binary, source], check=True)
    table = subprocess.run(["objdump", "-t", binary], capture_output=True, text=True, check=True).stdout
    start = next(int(line.split()[0], 16) for line in table.split("\n") if line.endswith(" main"))
    done = subprocess.run([program, "-n", binary], input=f"{start + 1000:x}\n{start + 2000:x}\n", capture_output=True, text=True, check=True)
    tally.check("loop;" not in done.stdout and "function;call;main" in done.stdout, "a large function has no loops, but its name", done.stdout)
    tally.equal([line[:4] for line in done.stderr.split("\n") if line.startswith("SY")], ["SY07"], "a large function is told of once")


# ---- structure files ----


def structure_rows(path):
    """(address, names of inlined functions and loops in order) of every range of a structure file."""
    text = re.sub(r"<!DOCTYPE.*?\]>", "", Path(path).read_text(encoding="utf-8"), flags=re.S)
    rows, stack = [], [(ElementTree.fromstring(text), "", [])]
    while stack:
        element, file, chain = stack.pop()
        if element.tag == "F":
            file = element.get("n")
        elif element.tag in "LA":
            file = element.get("f") or file
            if element.tag == "L":
                chain = chain + [("loop", int(element.get("v")[2:].split("-")[0], 16), Path(file).name, int(element.get("l")))]
            elif element.get("n") not in (None, "", "<inline>"):
                chain = chain + [("inlined", element.get("n"))]
        elif element.tag in "SC":
            rows += [(int(low, 16), chain) for low in re.findall(r"\[0x([0-9a-f]+)-", element.get("v"))]
        stack += [(child, file, chain) for child in element]
    return rows


def compare_structure(tally, program, binary):
    rows = structure_rows(f"{binary}.hpcstruct")
    chains = ask(program, binary, [address for address, _ in rows])
    same, loops = 0, [set(), set()]
    for address, chain in rows:
        ours = [("loop", s[4], Path(s[2]).name, s[3]) if s[0] == "loop" else ("inlined", s[1]) for s in chains[address] if s[0] in ("loop", "inlined")]
        same += ours == chain
        for n, side in enumerate((chain, ours)):
            loops[n] |= {s for s in side if s[0] == "loop"}
    print(f"{Path(binary).name}: {same} of {len(rows)} ranges, {len(loops[0] & loops[1])} of {len(loops[0])} loops are the same")
    tally.equal((same, loops[1]), (len(rows), loops[0]), f"{Path(binary).name}: as its structure file")


def compare_demo(tally, program):
    """The structure file of the demo was written by hand, by line: it names loops by their last instruction. It has no word for the empty inner loop of sum,
    which the compiler turned into a loop of its own at 4011e0."""
    demo = SHARED / "data" / "hpcrun" / "demo"
    if not demo.is_dir():
        tally.skip("the demo's structure file", f"no {demo}")
        return
    own = range(0x4011E0, 0x4011E4), range(0x401248, 0x401250)
    rows = structure_rows(demo / "demo-struct.m" / "structs" / "demo.hpcstruct")
    chains = ask(program, demo / "demo", [address for address, _ in rows] + [r[0] for r in own])
    for address, chain in rows:
        ours = [s[3] for s in chains[address] if s[0] == "loop"]
        tally.equal(ours, [s[3] for s in chain if s[0] == "loop"], f"demo at {address:x}: the lines of loops as in its structure file")
    for r in own:
        tally.equal([s[4] for s in chains[r[0]] if s[0] == "loop"], [own[0][0]], f"demo at {r[0]:x}: the empty loop")


def through_the_command(tally, folder):
    """Measurements without a structure file become a database with the loops of fill and sum; --no-loops leaves them out."""
    demo = SHARED / "data" / "hpcrun" / "demo"
    if not demo.is_dir():
        tally.skip("loops of measurements", f"no {demo}")
        return
    for option, wanted in ((), {10, 17, 18}), (("--no-loops",), set()):
        target = Path(folder) / f"database{len(option)}"
        result = assay("convert", demo / "demo.m", "-R", f"/tmp/demo/hpcdemo={demo}", "--foreign", *option, "--to", "hpcdb", "-o", target)
        tally.equal(result.returncode, 0, f"convert {option}: {said(result)}")
        lines = {int(n) for n in re.findall(r"lexicalType=1 .* line=(\d+)", assay("dump", target).stdout.decode())}
        tally.equal(lines, wanted, f"convert {option}: lines of loops")
        tally.check(b" error " not in (found := assay("check", "--deep", target).stdout) and b" warning " not in found, f"convert {option}: check --deep", found.decode())


def main():
    tally = Tally()
    program, *rest = sys.argv[1:]
    if rest:
        for binary in rest[1:]:
            compare_structure(tally, program, binary)
        tally.finish()
        return
    with tempfile.TemporaryDirectory() as folder:
        for build in BUILDS:
            if shutil.which(build[0]):
                compare_program(tally, program, folder, build)
        without_source(tally, program, folder)
        too_large(tally, program, folder)
        through_the_command(tally, folder)
    compare_demo(tally, program)
    tally.finish()


if __name__ == "__main__":
    main()
