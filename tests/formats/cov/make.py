#!/usr/bin/env python3
"""Makes the coverage objects of tests/data and the corpora of their fuzz targets, from the tables of docs/formats/cov.md.

  make.py TESTS    (the folder tests)
"""
import gzip
import hashlib
import struct
import sys
import zlib
from pathlib import Path

UNIT = 4


def units(*values):
    return struct.pack(f"<{len(values)}I", *values)


def block(texts):
    """The strings, sorted, each once and ended by a zero byte; and where each begins."""
    data, at = b"", {}
    for text in sorted(set(texts)):
        at[text] = len(data)
        data += text + b"\0"
    return data + b"\0" * (-len(data) % UNIT), at


class Dialect:
    def __init__(self, magics, origin, first_line, pack):
        self.magics, self.origin, self.first_line, self.pack = magics, origin, first_line, pack

    def head(self, kind, header, texts):
        data, at = block(texts)
        begin = header - self.origin
        return self.magics[kind] + units(0x10000, begin, len(data) // UNIT), begin + len(data) // UNIT, data, at

    def report(self, parent, files, build, stats):
        texts = [b"main", b"Ada", b"ada@example.org", b"Bob", b"bob@example.org", b"A subject\n\nand a body", b'"os":"linux"']
        head, end, data, at = self.head("report", 39, texts)
        body = parent + files + units(end, 13, 1, 0, 1750000000, *(at[t] for t in texts[:6])) + b"\x44" * 20 + units(0, 1749990000) + stats
        return head + body + data + build + units(at[texts[6]]) + stats

    def build(self, files, stats):
        head, _, data, at = self.head("build", 19, [b'"os":"linux"'])
        return head + files + units(0, 1750000000, 0) + stats + data

    def files(self, entries):
        head, end, data, at = self.head("files", 7, [e[0] for e in entries])
        ext = any(e[3] for e in entries)
        rows = b""
        for path, lines_total, lines, functions in entries:
            rows += units(at[path]) + b"\x11" * 20 + units(lines_total, *lines[0]) + lines[1]
            if ext:
                rows += (units(*functions[0]) + functions[1] if functions else bytes(28)) + bytes(28)
        return head + units(end, 28 if ext else 14, len(entries)) + data + rows

    def lines(self, words):
        return self.magics["lines"] + units(0x10000, len(words), *words)

    def functions(self, entries):
        head, end, data, at = self.head("functions", 7, [t for e in entries for t in e[:2]])
        rows = b"".join(units(at[n], at[d], count, first - self.first_line, column, last - self.first_line, last_column)
                        for n, d, count, first, column, last, last_column in entries)
        return head + units(end, 7, len(entries)) + data + rows


COV = Dialect({"report": b"rprt", "build": b"bld ", "files": b"list", "lines": b"lnes", "functions": b"fnct"}, 2, 1, lambda d: zlib.compress(d, 1))
SPEC = Dialect({"report": b"rset", "build": b"rprt", "files": b"list", "lines": b"lnes", "functions": b"fnct"}, 0, 0, lambda d: gzip.compress(d, 9, mtime=0))


def sound(d):
    """One object of each kind, that name each other."""
    def sha(data):
        return hashlib.sha1(data).digest()
    stats = units(12, 5, 4, 2, 1, 0, 0)
    lines = d.lines([0xFFFFFFFF, 0xFFFFFFFF, 0x80000001, 3, 0, 0x80000004, 9, 9, 2147483647, 0x80000003])
    functions = d.functions([(b"_Z3addii", b"add(int, int)", 3, 1, 5, 5, 1), (b"main", b"", 0, 7, 0, 9, 0)])
    files = d.files([(b"src/a.c", 12, ((5, 4), sha(lines)), ((2, 1), sha(functions))), ("src/ż.c".encode(), 1, ((0, 0), bytes(20)), None)])
    build = d.build(sha(files), stats)
    report = d.report(bytes(20), sha(files), sha(build), stats)
    return {"report": report, "build": build, "files": files, "lines": lines, "functions": functions}


def patch(data, unit, *values):
    return data[:unit * UNIT] + units(*values) + data[(unit + len(values)) * UNIT:]


def odd(o):
    """Damaged and unusual variants."""
    yield "empty", b""
    yield "magic-only", o["report"][:4]
    yield "version-2", patch(o["report"], 1, 0x20000)
    yield "minor-7", patch(o["files"], 1, 0x10007)
    yield "strings-size", patch(o["files"], 3, 0xFFFFFFFF)
    yield "strings-offset", patch(o["build"], 2, 0)
    yield "entry-size", patch(o["files"], 5, 13)
    yield "entry-count", patch(o["functions"], 6, 0xFFFFFFFF)
    yield "entry-offset", patch(o["report"], 14, 1)
    yield "string-reference", patch(o["report"], 24, 0x7FFFFFFF)
    yield "words", patch(o["lines"], 2, 0xFFFFFFFF)
    yield "rounds", o["lines"][:8] + units(6, 4, 0xFFFFFFFF, 0xFFFFFFFF, 0x80000001, 6, 9)
    yield "wide", o["files"] + units(1, 2, 3)
    yield "reversed", b"".join(o["lines"][i:i + 4][::-1] for i in range(0, len(o["lines"]), 4))


def save(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def main():
    tests = Path(sys.argv[1])
    for name, d in (("cov", COV), ("cov-spec", SPEC)):
        objects = sound(d)
        for kind, data in objects.items():
            save(tests / "data", f"{kind}.{name}-object", d.pack(data))
            save(tests / "fuzz/corpus" / name, kind, d.pack(data))
        for label, data in odd(objects):
            save(tests / "fuzz/corpus" / name, label, d.pack(data))
        save(tests / "fuzz/corpus" / name, "bare", objects["files"])
        save(tests / "fuzz/corpus" / name, "cut", d.pack(objects["report"])[:60])


if __name__ == "__main__":
    main()
