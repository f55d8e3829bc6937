#!/usr/bin/env python3
"""Makes the corpus of the nytprof target anew: the fixtures of tests/data, and small streams with every tag in every version.

  make-nytprof.py
"""
import struct
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "data"
OUT = HERE / "corpus" / "nytprof"


def u32(v):
    if v < 0x80:
        return bytes((v,))
    if v < 0x4000:
        return bytes((0x80 | v >> 8, v & 255))
    if v < 0x200000:
        return bytes((0xC0 | v >> 16,)) + (v & 0xFFFF).to_bytes(2, "big")
    if v < 0x10000000:
        return bytes((0xE0 | v >> 24,)) + (v & 0xFFFFFF).to_bytes(3, "big")
    return b"\xff" + v.to_bytes(4, "big")


def text(s, tag=b"'"):
    return tag + u32(len(s)) + s


def nv(x, order="<"):
    return struct.pack(order + "d", x)


def event(tag, *fields):
    return tag + b"".join(u32(f) if isinstance(f, int) else f for f in fields)


def header(version, *more):
    lines = [b"NYTProf %d %d" % version, b"#made by a script", b":nv_size=8", b":ticks_per_sec=10000000", *more]
    return b"\n".join(lines) + b"\n"


def stream(version, order="<"):
    """One of each record that the version has."""
    major, minor = version
    timed = version >= (2, 1)
    time = lambda t: nv(t, order) if timed else b""
    out = event(b"P", 70000, 1, time(1.5e9)) + event(b"@", 1, 0, 0, 0x12, 0, 0, text(b"/a.pl")) + event(b"@", 2, 1, 3, 0x132, 0, 0, text(b"(eval 1)[/a.pl:3]", b'"'))
    out += event(b"+", 70, 1, 5) + event(b"-") + event(b"+", 0xFFFFFF88, 2, 1) + event(b"*", 300, 1, 200, 199, 190)
    if major == 5:
        out += event(b">", 1, 5) + event(b">", 1, 6) + event(b"<", 2, nv(3, order), nv(3, order), text(b"main::f")) + event(b"<", 1, nv(9, order), nv(6, order), text(b"main::f"))
    out += b":cumulative_overhead_ticks=7\n" + event(b"S", 1, 1, text(b"f();\n")) + event(b"S", 1, 3, text(b"eval 'f()'"))
    sub = lambda fid, name, a, b: event(b"s", fid, a, b, text(name)) if major == 2 else event(b"s", fid, text(name), a, b, *([0] if major == 3 else []))
    out += sub(1, b"main::f", 190, 220) + sub(1, b"main::CORE:print", 0, 0)
    def call(fid, line, caller, count, incl, excl, reci, depth, name):
        if major == 2:
            return event(b"c", fid, line, count, nv(incl, order), nv(excl, order), nv(0), nv(0), *([nv(reci, order), depth] if timed else []), text(name))
        return event(b"c", fid, line, text(caller), count, nv(incl, order), nv(excl, order), *([nv(0), nv(0)] if major == 3 else []), nv(reci, order), depth, text(name))
    out += call(0, 0, b"", 0, 0, 0, 0, 0, b"main::CORE:print") + call(1, 200, b"main::f", 2, 9e-7, 9e-7, 3e-7, 1, b"main::f")
    return out + event(b"p", 70000, time(1.5e9 + 1))


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    files = {p.stem: p.read_bytes() for p in sorted(DATA.glob("*.nytprof"))}
    for version in ((2, 0), (2, 1), (3, 0), (4, 0), (5, 0)):
        files["v%d%d" % version] = header(version) + stream(version)
    raw = stream((5, 0))
    compressed = zlib.compress(raw)
    files["z"] = header((5, 0), b"#Compressed at level 6 with zlib 1.2.13") + b"z" + compressed + b"#\n# Compressed\n"
    files["z-cut"] = files["z"][:-40]
    files["z-twice"] = header((5, 0)) + b"z" + zlib.compress(b"z" + compressed)
    files["z-junk-behind"] = header((5, 0)) + b"z" + compressed + b"junk"
    files["swapped"] = header((5, 0)) + stream((5, 0), ">")
    files["two-processes"] = header((5, 0)) + raw + stream((5, 0))
    files["wide"] = header((5, 0)) + event(b"P", 1, 1, nv(1.5e9)) + b"+\xc0\x00\x01\x81\x00\xff\x00\x00\x00\x02" + event(b"p", 1, nv(1.5e9))
    files["deep"] = header((5, 0)) + b"".join(event(b"<", d, nv(1), nv(1), text(b"f")) for d in (4294967295, 7, 9, 3, 0))
    files["eval-circle"] = header((5, 0)) + event(b"@", 1, 2, 1, 0, 0, 0, text(b"a")) + event(b"@", 2, 1, 1, 0, 0, 0, text(b"b"))
    files["long-string"] = header((5, 0)) + b"@" + b"\1\0\0\0\0\0'\xff\xff\xff\xff\xffabc"
    files["source-far"] = header((5, 0)) + event(b"S", 1, 4294967295, text(b"x")) + event(b"S", 1, 2, text(b"y"))
    for name, data in files.items():
        (OUT / name).write_bytes(data)


main()
