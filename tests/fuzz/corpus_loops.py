#!/usr/bin/env python3
"""Makes the corpus of the target `loops`: the code of single functions of tests/symbols/loops.c, each with eight bytes of frames before it.

    corpus_loops.py"""
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FRAMES = {"flat": bytes(8), "nested": bytes([1, 2, 3, 1, 2, 3, 1, 2]), "apart": bytes([0x81, 0x82, 0x8d, 0x81, 0x83, 0x8e, 0x81, 0x80])}


def functions(program):
    """(name, code) of the functions with loops."""
    table = subprocess.run(["objdump", "-t", program], capture_output=True, text=True, check=True).stdout
    image = Path(program).with_suffix(".bin")
    subprocess.run(["objcopy", "-O", "binary", "-j", ".text", program, image], check=True)
    start = min(int(line.split()[0], 16) for line in table.split("\n") if re.search(r" \.text\s", line))
    code = image.read_bytes()
    for name in ("nested", "tangled", "machine", "endless"):
        found = re.search(rf"^([0-9a-f]+) .* \.text\s+([0-9a-f]+) {name}$", table, re.M)
        at = int(found.group(1), 16) - start
        yield name, code[at:at + int(found.group(2), 16)]


def main():
    out = HERE / "corpus" / "loops"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for level in ("-O0", "-O2"):
            program = Path(work) / f"loops{level}.o"
            subprocess.run(["gcc", "-c", level, "-fno-pie", "-fcf-protection=none", "-o", program, HERE.parent / "symbols" / "loops.c"], check=True)
            for (frames, head), (name, code) in zip(list(FRAMES.items()) * 2, functions(program)):
                (out / f"{name}{level}-{frames}").write_bytes(head + code)


if __name__ == "__main__":
    main()
