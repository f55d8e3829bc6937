#!/usr/bin/env python3
"""Programs that refer to the same name, range list or line table again and again, or whose debug information decompresses to very much: what is
taken of them is limited, and what is taken is right. usage: hostile.py SYMBOLS_ASK"""
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support import Tally  # noqa: E402

CODE = 0x401000
PROGBITS, SYMTAB, STRTAB = 1, 2, 3
ALLOC_EXEC, COMPRESSED = 6, 0x800


def elf(*sections):
    """An ELF file of these sections: (name, type, flags, address, bytes, link, entry size); the first is the code."""
    sections = (("", 0, 0, 0, b"", 0, 0), *sections, (".shstrtab", STRTAB, 0, 0, b"", 0, 0))
    names = b"".join(s[0].encode() + b"\0" for s in sections)
    body, heads, at = b"", b"", 0
    for name, kind, flags, address, data, link, entry in sections:
        data = names if name == ".shstrtab" else data
        heads += struct.pack("<IIQQQQIIQQ", at, kind, flags, address, 64 + len(body), len(data), link, 0, 1, entry)
        body += data
        at += len(name) + 1
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    return ident + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, CODE, 0, 64 + len(body), 0, 64, 56, 0, 64, len(sections), len(sections) - 1) + body + heads


def code(length=0x100000):
    return (".text", PROGBITS, ALLOC_EXEC, CODE, b"\x90" * length, 0, 0)


def debug(name, data, flags=0):
    return (name, PROGBITS, flags, 0, data, 0, 0)


def unit(*dies):
    """A unit of DWARF 4 with these DIEs below it."""
    rest = struct.pack("<HIB", 4, 0, 8) + b"".join(dies)
    return struct.pack("<I", len(rest)) + rest


def abbreviation(number, tag, children, *attributes):
    return bytes((number, tag, children)) + b"".join(bytes(a) for a in attributes) + b"\0\0"


NAME, STMT_LIST, LOW, HIGH, RANGES = 0x03, 0x10, 0x11, 0x12, 0x55
STRING, ADDRESS, DATA4, OFFSET = 0x08, 0x01, 0x06, 0x17
ABBREVIATIONS = (abbreviation(1, 0x11, 1, (STMT_LIST, OFFSET), (LOW, ADDRESS), (HIGH, DATA4))
                 + abbreviation(2, 0x2e, 0, (NAME, STRING), (RANGES, OFFSET)) + b"\0")


def top(length):
    return b"\x01" + struct.pack("<IQI", 0, CODE, length)


def line_program(rows):
    """One address for each row, four lines on."""
    tables = b"\x01\x01\x01\xfb\x0e\x0d" + bytes((0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)) + b"\0" + b"a.c\0\0\0\0" + b"\0"
    steps = b"\x00\x09\x02" + struct.pack("<Q", CODE) + bytes((13 + 14 * 1 + 5 + 4,)) * rows + b"\x02\x01" + b"\x00\x01\x01"
    rest = struct.pack("<HI", 4, len(tables)) + tables + steps
    return struct.pack("<I", len(rest)) + rest


def one_name():
    name = b"f" * 3900
    symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", 1, 2, 0, 1, CODE + 16 * i, 16) for i in range(20000))
    return elf(code(), (".symtab", SYMTAB, 0, 0, symbols, 3, 24), (".strtab", STRTAB, 0, 0, b"\0" + name + b"\0", 0, 0))


def one_range_list():
    ranges = b"".join(struct.pack("<QQ", 16 * i, 16 * i + 8) for i in range(50000)) + bytes(16)
    dies = b"".join(b"\x02f%d\0" % i + struct.pack("<I", 0) for i in range(20000))
    return elf(code(), debug(".debug_info", unit(top(0x100000), dies, b"\0")), debug(".debug_abbrev", ABBREVIATIONS), debug(".debug_ranges", ranges),
               debug(".debug_line", line_program(4)))


def one_line_table():
    return elf(code(), debug(".debug_info", unit(top(0x100000), b"\0") * 4000), debug(".debug_abbrev", ABBREVIATIONS),
               debug(".debug_line", line_program(50000)))


def bomb(style):
    """120 MB of debug information in half a megabyte."""
    packer = zlib.compressobj(1)
    compressed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(120)) + packer.flush()
    if style == "gnu":
        return elf(code(64), debug(".zdebug_info", b"ZLIB" + struct.pack(">Q", 120 << 20) + compressed), debug(".debug_abbrev", ABBREVIATIONS))
    return elf(code(64), debug(".debug_info", struct.pack("<IIQQ", 1, 0, 120 << 20, 1) + compressed, COMPRESSED), debug(".debug_abbrev", ABBREVIATIONS))


def ask(program, path, address):
    return subprocess.run([program, "-n", "-l", str(path)], input=f"{address:x}\n", capture_output=True, text=True, errors="replace", check=False)


def main():
    tally = Tally()
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "app"
        for what, data, rule, answer in (
            ("20,000 symbols with one long name", one_name(), "SY08", "f" * 3900),
            ("20,000 functions with one list of 50,000 ranges", one_range_list(), "SY08", ";f"),
            ("4,000 units with one table of 50,000 lines", one_line_table(), "SY08", "a.c;"),
            ("120 MB of compressed debug information", bomb("elf"), "SY04", None),
            ("the same as older tools write it", bomb("gnu"), "SY04", None),
        ):
            path.write_bytes(data)
            done = ask(program, path, CODE + 1)
            tally.equal(done.returncode, 0, f"{what}: {done.stderr}")
            tally.equal([line[:4] for line in done.stderr.splitlines() if line.startswith("SY")], [rule], f"{what}: {done.stderr[:300]}")
            if answer:
                tally.check(answer in done.stdout, f"{what}: what was read is there", done.stdout[:200])
    tally.finish()


if __name__ == "__main__":
    main()
