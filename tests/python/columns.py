#!/usr/bin/env python3
"""Columns are the library's memory: numpy, pandas and a reader of the Arrow C data interface (written here from its specification) get the same addresses and the
same numbers, ten million values cost no memory, and what was handed out outlives profile and table."""
import ctypes
import gc
import sys
from array import array
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p

from bindings import EXAMPLES, anonymous, assay, has
from support import FIXTURES, Tally

ROWS = 10_000_000
DEMO, OTHER, COVERAGE = (str(EXAMPLES[n]) for n in ("DEMO", "OTHER", "COVERAGE"))


# ---- a reader of Arrow's structures ----

class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64), ("children", POINTER(POINTER(Schema))),
                   ("dictionary", POINTER(Schema)), ("release", CFUNCTYPE(None, POINTER(Schema))), ("private_data", c_void_p)]
Array._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64), ("buffers", POINTER(c_void_p)),
                  ("children", POINTER(POINTER(Array))), ("dictionary", POINTER(Array)), ("release", CFUNCTYPE(None, POINTER(Array))), ("private_data", c_void_p)]
Stream._fields_ = [("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))), ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
                   ("get_last_error", CFUNCTYPE(c_char_p, POINTER(Stream))), ("release", CFUNCTYPE(None, POINTER(Stream))), ("private_data", c_void_p)]
NUMBERS = {b"C": ctypes.c_uint8, b"I": ctypes.c_uint32, b"L": ctypes.c_uint64, b"l": ctypes.c_int64, b"g": ctypes.c_double}
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = c_void_p, [ctypes.py_object, c_char_p]


def values(schema, found):
    """The values of an array as Python has them."""
    n, buffers = found.length, found.buffers
    if schema.dictionary:
        codes = (NUMBERS[schema.format] * n).from_address(buffers[1]) if n else []
        words = values(schema.dictionary.contents, found.dictionary.contents)
        return [words[c] for c in codes]
    bits = buffers[0] and (ctypes.c_uint8 * ((n + 7) // 8)).from_address(buffers[0])
    is_there = [not bits or bool(bits[i >> 3] >> (i & 7) & 1) for i in range(n)]
    if schema.format in (b"u", b"U", b"z"):
        offsets = ((ctypes.c_int32 if schema.format != b"U" else c_int64) * (n + 1)).from_address(buffers[1])
        data = ctypes.string_at(buffers[2], offsets[n]) if n and offsets[n] else b""
        raw = [data[offsets[i]:offsets[i + 1]] if is_there[i] else None for i in range(n)]
        return [v if v is None or schema.format == b"z" else v.decode() for v in raw]
    if schema.format == b"d:38,0":
        halves = (ctypes.c_uint64 * (2 * n)).from_address(buffers[1])
        return [int.from_bytes(bytes(memoryview(halves).cast("B")[16 * i:16 * i + 16]), sys.byteorder, signed=True) for i in range(n)]
    data = (NUMBERS[schema.format] * n).from_address(buffers[1]) if n else []
    return [v if is_there[i] else None for i, v in enumerate(data)]


class Imported:
    """A table that was taken over: the structures are moved out of the capsule, as every consumer does."""

    def __init__(self, capsule):
        stream = Stream.from_address(pointer_of(capsule, b"arrow_array_stream"))
        mine = Stream.from_buffer_copy(stream)
        ctypes.memset(ctypes.addressof(stream) + Stream.release.offset, 0, ctypes.sizeof(c_void_p))
        self.schema, self.batch, end = Schema(), Array(), Array()
        assert mine.get_schema(mine, self.schema) == 0 and mine.get_next(mine, self.batch) == 0 and mine.get_next(mine, end) == 0 and not end.release
        mine.release(mine)
        assert self.schema.format == b"+s" and self.batch.n_children == self.schema.n_children and self.batch.n_buffers == 1

    def column(self, name):
        for i in range(self.schema.n_children):
            if self.schema.children[i].contents.name == name.encode():
                return self.schema.children[i].contents, self.batch.children[i].contents
        raise KeyError(name)

    def names(self):
        return [self.schema.children[i].contents.name.decode() for i in range(self.schema.n_children)]

    def release(self):
        self.schema.release(self.schema)
        self.batch.release(self.batch)


def arrow(tally):
    for path, make in ((DEMO, lambda p: p.top()), (OTHER, lambda p: p.tree()), (DEMO, lambda p: p.query("select name, self, null as n, 0.5 as half from top")),
                       (COVERAGE, lambda p: p.table("lines")), (DEMO, lambda p: p.table("metrics")), (COVERAGE, lambda p: p.coverage())):
        table = make(assay.read(path, want="all"))
        want = {name: column.tolist() for name, column in table.items()}
        found = Imported(table.__arrow_c_stream__())
        del table
        gc.collect()
        tally.equal(found.names(), list(want), "Arrow: names of columns")
        for name in want:
            got = values(*found.column(name))
            tally.check(got == want[name] or [bool(g) for g in got] == want[name], f"Arrow: {name}", got[:5], want[name][:5])
        found.release()
        tally.check(not found.schema.release and not found.batch.release, "Arrow: released")
    moved = assay.read(DEMO).top()
    taken = Imported(moved.__arrow_c_stream__())
    child = Array.from_buffer_copy(taken.column("self")[1])
    ctypes.memset(ctypes.addressof(taken.column("self")[1]) + Array.release.offset, 0, ctypes.sizeof(c_void_p))
    taken.release()
    del moved, taken
    gc.collect()
    tally.equal((c_int64.from_address(child.buffers[1]).value, child.length), (27803, 12), "Arrow: a child that was moved out outlives its table")
    child.release(child)
    column = assay.read(DEMO).top()["self"]
    schema, _ = column.__arrow_c_array__()
    tally.equal(Schema.from_address(pointer_of(schema, b"arrow_schema")).format, b"l", "Arrow: one column")
    del schema, _
    tally.equal((len(assay._arrow._live), len(assay._arrow._held)), (0, 0), "Arrow: nothing is left")


# ---- ten million rows ----

def big_profile():
    b = assay.build(want="coverage")
    b.cover("a.c", array("I", range(1, ROWS + 1)), array("Q", [3]) * ROWS)
    return b.seal()


def grown(function):
    """What it returns, and how many bytes of memory it took."""
    gc.collect()
    before = anonymous()
    got = function()
    return got, anonymous() - before


def measured(tally):
    """The array that numpy has, when everything else is gone."""
    p = big_profile()
    stored = assay._library.structure(assay._abi.assay_coverage, assay._library.lib.assay_profile_coverage(p._open().pointer))
    table, more = grown(lambda: p.table("lines"))
    tally.equal((table.count, more < 1 << 20), (ROWS, True), "ten million rows as a table take no memory")
    hits = table["hits"]
    tally.equal((assay._arrow.address(hits.data), len(hits.data), hits[ROWS - 1]), (stored.line_hits, ROWS, 3), "the column is the library's array")
    found, more = grown(lambda: Imported(table.__arrow_c_stream__()))
    tally.equal((found.column("hits")[1].buffers[1], more < 1 << 20), (stored.line_hits, True), "Arrow has the same address")
    found.release()
    if not has("numpy"):
        tally.skip("numpy", "not installed")
        return None
    import numpy
    (a, total), more = grown(lambda: (numpy.asarray(hits), int(numpy.asarray(hits).sum())))
    tally.equal((a.__array_interface__["data"][0], a.dtype, total, more < 2 << 20), (stored.line_hits, numpy.dtype("uint64"), 3 * ROWS, True),
                "numpy has the same address, and summing takes no memory")
    tally.check(not a.flags.writeable, "numpy cannot write into it")
    if has("pandas"):
        import pandas
        frame, more = grown(lambda: pandas.DataFrame({"line": table["line"], "hits": hits}, copy=False))
        at = frame["hits"].to_numpy().__array_interface__["data"][0]
        tally.equal((at, frame["hits"].sum(), more < 2 << 20), (stored.line_hits, 3 * ROWS, True), "pandas (copy=False) has the same address")
    return a


def ten_million(tally):
    a = measured(tally)
    gc.collect()
    if a is not None:
        tally.equal(int(a[-1]), 3, "the array outlives profile, table and column")


def numpy_and_pandas(tally):
    if not has("numpy"):
        tally.skip("numpy", "not installed")
        return
    import numpy
    top = assay.read(OTHER).top()
    for name, column in top.items():
        tally.equal(numpy.asarray(column).tolist(), column.tolist(), f"numpy.asarray of {name}")
    spread = numpy.asarray(top["self"])
    tally.check(spread.strides[0] == 8 * len(top.about["metrics"]) and not top["self"].is_contiguous, "figures of several metrics are strided, not copied", spread.strides)
    tally.equal(numpy.asarray(top["self"], dtype="float32").dtype, numpy.dtype("float32"), "another type")
    if not has("pandas"):
        tally.skip("pandas", "not installed")
        return
    import pandas
    for path in (DEMO, OTHER):
        p = assay.read(path, want="all")
        for table in (p.top(), p.tree(), p.table("functions"), p.query("select * from top"), p.callers("main")[0].callees, p.annotate()[0].lines):
            frame = pandas.DataFrame(table)
            tally.equal(list(frame.columns), list(table), "pandas: the columns")
            same = all([None if v is None or v != v else v for v in frame[name].tolist()] == column.tolist() for name, column in table.items())
            tally.check(same and len(frame) == table.count, "pandas: the values", frame.head())


def tree_values(tally):
    """All values, those of a stream, of a node and of a metric are what SQL has."""
    for name in ("demo.folded", "demo.xdebug", "app.m", "gpu.m", "demo.experiment.xml"):
        p = assay.read(FIXTURES / name, want="contexts")
        for metric in sorted({m.name for m in p.metrics}):
            sql = f"select ifnull(stream, 0) as stream, ifnull(node, 0) as node, value from value where metric = '{metric}'"
            want = sorted((r["stream"], r["node"], r["value"]) for r in p.query(sql).rows())
            if not want:
                continue
            got = p.values(metric=metric)
            rows = sorted(zip(got["stream"], got["node"], got["value"]))
            tally.equal(rows, want, f"{name}: values of {metric}")
            stream, node, _ = want[len(want) // 2]
            tally.equal(sorted(p.values(stream=stream, metric=metric)["value"]), sorted(v for s, _, v in want if s == stream), f"{name}: values of stream {stream}")
            tally.equal(sorted(p.values(node=node, metric=metric)["value"]), sorted(v for _, n, v in want if n == node), f"{name}: values of node {node}")
            one = p.values(stream=stream, node=node, metric=metric)
            tally.equal(sorted(one["value"]), sorted(v for s, n, v in want if (s, n) == (stream, node)), f"{name}: values of one cell")


def notebooks(tally):
    """What comes from a file is escaped."""
    b = assay.build()
    metric = b.metric("<i>m</i>")
    b.value(b.context(0, b.function("<script>alert(1)</script>", file="<b>.c")), metric, 1)
    p = b.seal("<img src=x>")
    for thing in (p, p.top(), p.tree(), p.callers("script"), p.table("functions")):
        text = thing._repr_html_()
        tally.check("<table>" in text and not any(bad in text for bad in ("<script", "<img", "<b>", "<i>")), f"HTML of {type(thing).__name__}", text[:300])
    tally.check(p.flame_svg()._repr_svg_().startswith("<?xml") and "<script>alert" not in p.flame_svg(), "a flame graph")
    tally.check("<svg" in (assay.read(EXAMPLES["CALLS"]).timeline()._repr_svg_() or ""), "a chart")
    tally.check("<table>" in assay.check(EXAMPLES["DAMAGED"])._repr_html_() and "<table>" in assay.read(DEMO).annotate()[0]._repr_html_(), "findings and sources")


def buffers(tally):
    column = assay.read(DEMO).top()["self"]
    if sys.version_info >= (3, 12):
        tally.equal(memoryview(column)[0], 27803, "memoryview of a column")
    tally.equal((column.data.format, column.data.readonly, column[1:3].tolist(), column[-1] >= 0), ("q", True, [3613, 2545], True), "a column and its memoryview")


def main():
    tally = Tally()
    buffers(tally)
    tree_values(tally)
    notebooks(tally)
    arrow(tally)
    ten_million(tally)
    numpy_and_pandas(tally)
    tally.finish()


if __name__ == "__main__":
    main()
