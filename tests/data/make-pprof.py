#!/usr/bin/env python3
"""Writes demo.pprof, and small files for the fuzz corpus, with an encoder of its own.

    make-pprof.py demo.pprof
    make-pprof.py --corpus FOLDER"""
import gzip
import sys
from pathlib import Path


def varint(v):
    v &= (1 << 64) - 1
    out = bytearray()
    while v >= 0x80:
        out.append(v & 0x7F | 0x80)
        v >>= 7
    return bytes(out) + bytes([v])


def number(field, v):
    return varint(field << 3) + varint(v) if v else b""


def data(field, payload):
    return varint(field << 3 | 2) + varint(len(payload)) + payload


def packed(field, values):
    return data(field, b"".join(varint(v) for v in values))


class Profile:
    def __init__(self, is_packed=True):
        self.strings = [""]
        self.parts = []
        self.is_packed = is_packed

    def text(self, s):
        if s not in self.strings:
            self.strings.append(s)
        return self.strings.index(s)

    def add(self, field, payload):
        self.parts.append(data(field, payload))

    def type(self, name, unit, field=1):
        self.add(field, number(1, self.text(name)) + number(2, self.text(unit)))

    def sample(self, locations, values, labels=()):
        body = packed(1, locations) + packed(2, values) if self.is_packed else b"".join([number(1, v) for v in locations] + [number(2, v) for v in values])
        for key, value, unit in labels:
            text = number(2, self.text(value)) if isinstance(value, str) else number(3, value)
            body += data(3, number(1, self.text(key)) + text + number(4, self.text(unit)))
        self.add(2, body)

    def mapping(self, id, start, limit, name, build):
        self.add(3, number(1, id) + number(2, start) + number(3, limit) + number(5, self.text(name)) + number(6, self.text(build)) + number(7, 1))

    def location(self, id, mapping, address, *lines):
        self.add(4, number(1, id) + number(2, mapping) + number(3, address) + b"".join(data(4, number(1, f) + number(2, line)) for f, line in lines))

    def function(self, id, name, file, line, system=""):
        self.add(5, number(1, id) + number(2, self.text(name)) + number(3, self.text(system)) + number(4, self.text(file)) + number(5, line))

    def scalar(self, field, v):
        self.parts.append(number(field, v))

    def bytes(self, strings_first=False):
        table = b"".join(data(6, s.encode()) for s in self.strings)
        return table + b"".join(self.parts) if strings_first else b"".join(self.parts) + table


def demo(is_packed=True, labels=True):
    p = Profile(is_packed)
    p.type("samples", "count")
    p.type("cpu", "nanoseconds")
    tag = [("endpoint", "/cart", ""), ("bytes", 4096, "bytes")] if labels else []
    p.sample([3, 2, 1], [3, 30000000], tag)
    p.sample([4, 2, 1], [2, 20000000], [("endpoint", "/home", "")] if labels else [])
    p.sample([3, 2, 1], [1, 10000000])
    p.sample([5, 1], [4, 40000000], tag)
    p.mapping(1, 0x400000, 0x500000, "/usr/bin/shop", "0123abcd")
    p.location(1, 1, 0x400100, (1, 12))
    p.location(2, 1, 0x400200, (2, 31))
    p.location(3, 1, 0x400300, (4, 7), (3, 44))
    p.location(4, 1, 0x400400, (3, 46))
    p.location(5, 1, 0x400500)
    p.function(1, "main", "/src/shop.c", 10, "main")
    p.function(2, "serve", "/src/shop.c", 30)
    p.function(3, "price", "/src/price.c", 40)
    p.function(4, "round", "/src/price.h", 5)
    p.scalar(9, 1700000000000000000)
    p.scalar(10, 2000000000)
    p.type("cpu", "nanoseconds", 11)
    p.scalar(12, 10000000)
    p.scalar(13, p.text("made by hand"))
    p.scalar(14, p.text("cpu"))
    return p


def corpus():
    yield "packed", demo().bytes()
    yield "unpacked", demo(is_packed=False).bytes()
    yield "strings-first", demo(labels=False).bytes(strings_first=True)
    yield "two-members", gzip.compress(demo().bytes()[:100], mtime=0) + gzip.compress(demo().bytes()[100:], mtime=0)
    big = Profile()
    big.type("delay", "nanoseconds")
    big.sample([1 << 60, 7], [-5])
    big.location(1 << 60, 9, 0x1234)
    big.location(7, 0, 0, (1 << 40, 3), (99, 1))
    big.function(1 << 40, "", "", 0, "_Zlong")
    big.scalar(7, big.text("runtime\\..*"))
    yield "large-ids", big.bytes()
    yield "cut", demo().bytes()[:150]


if __name__ == "__main__":
    if sys.argv[1] == "--corpus":
        for name, content in corpus():
            (Path(sys.argv[2]) / name).write_bytes(content)
    else:
        Path(sys.argv[1]).write_bytes(gzip.compress(demo().bytes(), mtime=0))
