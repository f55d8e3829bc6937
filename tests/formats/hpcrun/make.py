#!/usr/bin/env python3
"""Writes small measurement files of every layout, from the tables of docs/formats/hpcrun.md: fixtures of the tests and seeds of the fuzz targets.

  make.py [-v]      (-v also prints where each part of each file stands: the offsets in test_hpcrun_check.c)

All profiles tell the same story, so that tests can expect the same figures of each of them: the tree below, two modules, a metric of
integers with the period 1000 and one of doubles.

    root -> app+0x1000 -> app+0x1040 (3, 0.5) -> libm+0x2000 (5, 1.25)
                                              -> app+0x1080 (2, 0)
    root -> partial unwinds
"""
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
APP, LIB = "/opt/app/bin/app", "/usr/lib/libm.so.6"
VERBOSE = "-v" in sys.argv[1:]


class Bytes:
    """Bytes of one order, and where named parts of them begin."""

    def __init__(self, order):
        self.order, self.out, self.marks = order, bytearray(), []

    def mark(self, name):
        self.marks.append((name, len(self.out)))

    def raw(self, data):
        self.out += data
        return self

    def u(self, size, *values):
        for v in values:
            self.out += (v & ((1 << 8 * size) - 1)).to_bytes(size, self.order)
        return self

    def text(self, *texts):
        for t in texts:
            self.u(4, len(t.encode())).raw(t.encode())
        return self

    def pairs(self, *pairs):
        self.u(4, len(pairs))
        for name, value in pairs:
            self.mark(f"pair {name}")
            self.text(name, value)
        return self


def double(v):
    return struct.unpack(">Q", struct.pack(">d", v))[0]


# id, parent, module (0 = none), address in it, leaf, values
NODES = [(12, 0, 0, 0, False, (0, 0.0)), (18, 12, 1, 0x1000, False, (0, 0.0)), (20, 18, 1, 0x1040, False, (3, 0.5)),
         (22, 20, 2, 0x2000, True, (5, 1.25)), (25, 20, 1, 0x1080, True, (2, 0.0)), (14, 12, 0, 1, True, (0, 0.0))]
HEADER = [("program-name", "app"), ("mpi-rank", "3"), ("thread-id", "1"), ("host-id", "7f0101"), ("process-id", "1234")]


def literal(lush=False, counted=True, order="little", endian=b"l", epochs=1):
    """02.00l; not counted = as the programs of 2009 wrote it."""
    b = Bytes(order).raw(b"HPCRUN____02.00" + endian)
    b.mark("pairs")
    b.pairs(*HEADER)
    if counted:
        b.mark("epochs")
        b.u(4, epochs)
    for _ in range(epochs):
        b.mark("epoch")
        b.raw(b"EPOCH___").u(8, int(lush)).u(4, 1).u(8, 1)
        b.pairs(*([("LIP-size", "2")] if lush or not counted else []))
        b.mark("metrics")
        b.u(4, 2).text("CYCLES").u(8, 2, 1000).text("WAIT (sec)").u(8, 6, 1)
        b.mark("modules")
        b.u(4, 2)
        for path, base in ((APP, 0x400000), (LIB, 0x7F0000000000)):
            if counted:
                b.u(8, base, base).text(path).u(4, 0)
            else:
                b.text(path).u(8, 0, base)
        b.mark("nodes")
        b.u(4 if counted else 8, len(NODES))
        for i, parent, module, ip, leaf, values in NODES:
            b.mark(f"node {i}")
            ip = {0: ip, 1: 0x400000 + ip, 2: 0x7F0000000000 + ip}[module]
            b.u(4, -i if leaf and counted else i, parent)
            if lush or not counted:
                b.u(4, 0x36 | 1 << 8)
            b.u(8, ip)
            if lush or not counted:
                b.u(8, module, 0x10)
            b.u(8, values[0], double(values[1]))
    return b


def descriptor(b, name, real, period, extra, bits=False, formula="", show=1):
    b.text(name, "of " + name)
    b.mark(f"flags {name}")
    if bits:
        b.u(8, 1 | (2 if real else 1) << 8 | 1 << 28 | 1 << 29, 0)
    else:
        b.raw(bytes([1, 0, 2 if real else 1, 0, 0, 0, show, 1]) + bytes(8))
    b.u(8, period)
    b.mark(f"formula {name}")
    b.text(formula, "")
    if extra:
        b.u(2, 0, 1).u(8, double(12.5), 42)


def modules(b):
    b.u(4, 2)
    for number, path in ((1, APP), (2, LIB)):
        b.mark(f"module {number}")
        b.u(2, number).text(path).u(8, 0)


def epochs(version, extra, bits=False, lush=False, count=1):
    """02.00b and 03.00b."""
    b = Bytes("big").raw(b"HPCRUN-profile____" + version + b"b")
    b.pairs(*HEADER)
    for _ in range(count):
        b.mark("epoch")
        b.raw(b"EPOCH___").u(8, int(lush), 1).u(4, 0).pairs(("TODO:epoch-name", "TODO:epoch-value"))
        b.mark("metrics")
        b.u(4, 2)
        descriptor(b, "CYCLES", False, 1000, extra, bits)
        descriptor(b, "WAIT (sec)", True, 1, extra, bits)
        b.mark("modules")
        modules(b)
        b.mark("nodes")
        b.u(8, len(NODES))
        for i, parent, module, ip, leaf, values in NODES:
            b.mark(f"node {i}")
            b.u(4, -i if leaf and version == b"02.00" else i, parent)
            if lush:
                b.u(4, 0x36 | 1 << 8)
            b.u(2, module).u(8, ip)
            if lush:
                b.u(8, module, 0x10)
            b.u(8, values[0], double(values[1]))
    return b


def placeholder(text):
    return int.from_bytes(text.encode(), "big")


def sections(old=False, finish=True):
    """04.00; old = nodes of 18 bytes; finish False = the footer was never written."""
    b, bounds = Bytes("big"), []

    def section(name, fill):
        b.raw(bytes(-len(b.out) % 1024))
        b.mark(name)
        begin = len(b.out)
        fill()
        bounds.extend((begin, len(b.out)))

    nodes = [(12, 0, 0, placeholder("^Primary"), (0, 0.0)), (14, 12, 0, placeholder("^Partial"), (0, 0.0)), (16, 12, 0, placeholder("| Main  "), (0, 0.0))]
    nodes += [(i, 16 if parent == 12 else parent, m, ip, v) for i, parent, m, ip, _, v in NODES[1:-1]]

    def put_nodes():
        b.u(8, len(nodes))
        for i, parent, module, ip, _ in nodes:
            b.mark(f"node {i}")
            b.u(4, i, parent).u(2, module).u(8, ip)
            if not old:
                b.u(1, 1)

    def put_metrics():
        b.u(4, 3)
        descriptor(b, "CYCLES", False, 1000, True)
        descriptor(b, "WAIT (sec)", True, 1, True)
        descriptor(b, "RATE", True, 1, True, formula="100*#1/(#0+1)", show=0)

    def put_kinds():
        kinds = ["SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"]
        b.u(2, len(kinds))
        for number, name in enumerate(kinds):
            b.mark(f"kind {name}")
            b.u(2, number).text(name)

    def put_values():
        b.u(2, 3)
        for kind, how, physical, logical in ((1, 1, 0x7F0101, 0), (2, 3, 0, 3), (3, 3, 0, 1)):
            b.mark(f"tuple {kind}")
            b.u(2, kind | how << 14).u(8, physical, logical)
        stored = [(i, [(m, x) for m, x in ((0, v[0]), (1, double(v[1]))) if x]) for i, _, _, _, v in nodes]
        stored = [(i, v) for i, v in stored if v]
        b.mark("counts")
        b.u(8, sum(len(v) for _, v in stored)).u(4, len(stored))
        b.mark("values")
        for _, values in stored:
            for metric, bits in values:
                b.u(8, bits).u(2, metric)
        b.mark("index")
        at = 0
        for i, values in stored:
            b.u(4, i).u(8, at)
            at += len(values)
        b.u(4, 0x656E6421).u(8, at)

    section("header", lambda: b.raw(b"HPCRUN-profile____04.00b").pairs(*HEADER, ("job-id", "")))
    section("modules", lambda: modules(b))
    section("nodes", put_nodes)
    section("metrics", put_metrics)
    section("kinds", put_kinds)
    section("sparse", put_values)
    if finish:
        b.raw(bytes(-len(b.out) % 1024))
        b.mark("footer")
        b.u(8, *bounds, len(b.out), 0x48504352554E736D)
    return b


RECORDS = [(1_700_000_000_000_000_000, 19), (1_700_000_000_005_000_000, 21), (1_700_000_000_004_000_000, 21), (1_700_000_000_009_000_000, 19)]


def trace(version, flags=0, distance=0):
    b = Bytes("big").raw(b"HPCRUN-trace______" + version + b"b")
    if version == b"01.01":
        b.u(8, flags)
    for time, node in RECORDS:
        time = time // 1000 if version == b"01.00" or distance else time
        b.u(8, time | distance << 54).u(4, node)
        if flags & 1:
            b.u(4, 0x7FFFFFFF)
    return b


def flat():
    b = Bytes("little").raw(b"HPCRUN-FLAT_______01.00l").u(4, 2)
    for path, base, buckets in ((APP, 0x400000, ((3, 0x1040), (2, 0x1080))), (LIB, 0x7F0000000000, ((5, 0x2000),))):
        b.mark("module")
        b.text(path).u(8, base).u(4, 1)
        b.mark("event")
        b.text("CYCLES", "of CYCLES").u(8, 1000, len(buckets))
        for count, offset in buckets:
            b.mark("bucket")
            b.u(4, count).u(8, offset)
    return b


FILES = {
    "02.00l.hpcrun": literal(),
    "02.00l-lush.hpcrun": literal(lush=True),
    "02.00l-epochs.hpcrun": literal(epochs=2),
    "02.00l-2009.hpcrun": literal(counted=False),
    "02.00b-2009.hpcrun": literal(counted=False, order="big", endian=b"b"),
    "02.00b.hpcrun": epochs(b"02.00", False),
    "02.00b-bits.hpcrun": epochs(b"02.00", False, bits=True),
    "02.00b-extra.hpcrun": epochs(b"02.00", True),
    "02.00b-lush.hpcrun": epochs(b"02.00", False, lush=True, count=2),
    "03.00b.hpcrun": epochs(b"03.00", True),
    "04.00b.hpcrun": sections(),
    "04.00b-2021.hpcrun": sections(old=True),
    "04.00b-unfinished.hpcrun": sections(finish=False),
    "01.00.hpctrace": trace(b"01.00"),
    "01.01.hpctrace": trace(b"01.01", 4),
    "01.01-metric.hpctrace": trace(b"01.01", 1),
    "01.01-distance.hpctrace": trace(b"01.01", 2, 3),
    "01.01-empty.hpctrace": Bytes("big").raw(b"HPCRUN-trace______01.01b" + bytes(8)),
    "01.00.hpcrun-flat": flat(),
}
MORE = {  # seeds that are no fixtures
    "old.hpcrun": b"HPCRUN-profile____01.9Ab" + bytes(8),
    "matrix.hpcrun": b"HPCPROF-metricdb__00.10b" + bytes(7) + b"\1" + bytes(8),
    "cut.hpctrace": bytes(trace(b"01.01").out[:-5]),
    "empty.hpcrun-flat": b"HPCRUN-FLAT_______01.00l" + bytes(4),
    "cut.hpcrun-flat": bytes(flat().out[:-7]),
    "left.hpcrun-flat": bytes(flat().out) + b"more",
    "huge.hpcrun-flat": b"HPCRUN-FLAT_______01.00l" + b"\xff" * 4 + bytes(flat().out[28:]),
}


def main():
    for name, b in FILES.items():
        (HERE / "data" / name).write_bytes(b.out)
        if VERBOSE:
            print(name, len(b.out), *(f"{mark}@{at}" for mark, at in b.marks))
    for name, data in {**{n: b.out for n, b in FILES.items()}, **MORE}.items():
        target = {".hpcrun": "hpcrun", ".hpctrace": "hpctrace", ".hpcrun-flat": "hpcrun-flat"}[Path(name).suffix]
        folder = HERE / "fuzz" / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
