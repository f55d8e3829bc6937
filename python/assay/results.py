"""Answers of the verbs as tables: the structures of assay/top.h, tree.h, callers.h, annotate.h, timeline.h, diff.h and coverage.h.

Each class or function here takes a keeper that owns the library's result; the columns of the tables point into it.
"""
from __future__ import annotations

import ctypes
import threading
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

from . import _abi
from ._library import Handle, Keeper, call, decode, lib, slice_bytes, structure
from .columns import TYPES, Arrays, Column, ListColumn, Table, TextColumn, copied, view

KINDS = ["function", "entry", "inlined", "loop", "line", "instruction", "other", "module", "file", "call"]
STATES = ["none", "hit", "partial", "missed", "excluded", "unknown"]
CHANGES = ["changed", "new", "gone"]


class Figure(NamedTuple):
    """A column of figures: a metric, or a formula over metrics."""
    name: str
    unit: str
    type: int
    whole: float
    metric: int
    is_sum: bool


def figures_of(pointer: Optional[int], count: int) -> List[Figure]:
    if not pointer or not count:
        return []
    found = (_abi.assay_column * count).from_address(pointer)
    return [Figure(decode(slice_bytes(c.name)) or "", decode(c.unit) or "", c.type, c.whole, c.metric.v, c.is_sum) for c in found]


class Names:
    """Texts of a profile by id: its strings, and the names of files, modules and functions. They point into the profile, which `keeper` keeps."""

    def __init__(self, keeper: Keeper, profile: int) -> None:
        self.keeper, self.profile = keeper, profile
        count = ctypes.c_uint32()
        first = lib.assay_profile_strings(profile, ctypes.byref(count))
        self.strings = Arrays(keeper, _Slices(first), count.value + 1).slices("at")

    def _of(self, function: Any, kind: Any, member: str) -> TextColumn:
        record = structure(kind, function(self.profile))
        return TextColumn(view(self.keeper, getattr(record, member), record.count + 1, "I"), self.strings)

    @property
    def files(self) -> TextColumn:
        return self._of(lib.assay_profile_files, _abi.assay_files, "path")

    @property
    def modules(self) -> TextColumn:
        return self._of(lib.assay_profile_modules, _abi.assay_modules, "path")


class _Slices:
    """An array of slices as if it were a member."""

    def __init__(self, at: Optional[int]) -> None:
        self.at = at


def put_figures(columns: Dict[str, Column], arrays: Arrays, members: Sequence[str], figures: Sequence[Figure], key: int) -> None:
    """Figures of all metrics; those of the key have plain names."""
    order = sorted(range(len(figures)), key=lambda k: k != key)
    for k in order:
        for member in members:
            if getattr(arrays.record, member):
                name = member if k == key else f"{member} {figures[k].name}"
                columns[name] = arrays.figures(member, figures[k].type, len(figures), k)


def about_figures(figures: Sequence[Figure], key: int, **more: Any) -> Dict[str, Any]:
    at = figures[key] if figures else None
    return {"metric": at and at.name, "unit": at and at.unit, "total": at and at.whole, "metrics": [f.name for f in figures], **more}


# ---- top ----

def top_table(keeper: Keeper) -> Table:
    t = structure(_abi.assay_table, keeper.pointer)
    names, figures = Names(keeper, t.profile), figures_of(t.columns, t.column_count)
    rows = Arrays(keeper, t, t.count)
    columns: Dict[str, Column] = {"name": rows.slices("name")}
    put_figures(columns, rows, ("self", "total"), figures, t.key)
    columns["calls"] = rows.number("calls")
    columns["file"] = rows.coded("file", names.files)
    columns["line"] = rows.number("line")
    columns["module"] = rows.coded("module", names.modules)
    columns["function"] = rows.number("func")
    columns["cycle"] = rows.number("cycle")
    columns["members"] = rows.number("members")
    return Table(columns, about_figures(figures, t.key, left_out=t.left_out))


COUNTED = ("lines", "functions", "branches", "conditions", "blocks", "statements")


def coverage_counts(counts: _abi.assay_coverage_counts) -> Dict[str, int]:
    """What of coverage was counted, and what of it was hit."""
    return {name: getattr(counts, name) for name, _ in counts._fields_}


def coverage_table(keeper: Keeper) -> Table:
    t = structure(_abi.assay_coverage_table, keeper.pointer)
    rows = (_abi.assay_coverage_row * t.count).from_address(t.rows) if t.count else []
    columns: Dict[str, Column] = {"path": ListColumn([decode(slice_bytes(r.path)) or "" for r in rows])}
    for name in COUNTED:
        columns[name] = ListColumn([getattr(r.counts, name) for r in rows])
        columns[name + "_hit"] = ListColumn([getattr(r.counts, name + "_hit") for r in rows])
    columns["missing"] = ListColumn([r.missing.decode() if r.missing is not None else None for r in rows])
    columns["file"] = ListColumn([r.file.v for r in rows])
    return Table(columns, {"total": coverage_counts(t.total)})


# ---- tree ----

def view_table(keeper: Keeper) -> Table:
    v = structure(_abi.assay_view, keeper.pointer)
    names, figures = Names(keeper, v.profile), figures_of(v.columns, v.column_count)
    rows = Arrays(keeper, v, v.count, first=1)
    columns: Dict[str, Column] = {"name": rows.slices("name"), "depth": rows.number("depth")}
    put_figures(columns, rows, ("self", "total"), figures, v.key)
    columns["calls"] = rows.number("calls")
    columns["kind"] = rows.coded("kind", KINDS)
    columns["file"] = rows.coded("file", names.files)
    columns["line"] = rows.number("line")
    columns["module"] = rows.coded("module", names.modules)
    columns["parent"] = rows.number("parent")  # row from 1, 0 = none
    columns["function"] = rows.number("func")
    columns["offset"] = rows.number("offset")
    columns["site_file"] = rows.coded("site_file", names.files)
    columns["site_line"] = rows.number("site_line")
    columns["has_self"] = rows.number("has_self")
    return Table(columns, about_figures(figures, v.key, left_out=v.left_out, is_estimated=v.is_estimated))


def paths_table(keeper: Keeper) -> Table:
    s = structure(_abi.assay_paths, keeper.pointer)
    rows = Arrays(keeper, s, s.count, first=1)
    columns: Dict[str, Column] = {"name": rows.slices("name"), "depth": rows.number("depth"), "self": rows.figures("self", s.type, 1, 0),
                                  "total": rows.figures("total", s.type, 1, 0), "calls": rows.number("calls"), "kind": rows.coded("kind", KINDS),
                                  "parent": rows.number("parent"), "end": rows.number("end"), "function": rows.number("func")}
    return Table(columns, {"is_estimated": s.is_estimated, "deepest": s.deepest})


# ---- callers ----

class Caller:
    """A function, with who calls it (``callers``) and what it calls (``callees``), both tables."""

    def __init__(self, keeper: Keeper, block: _abi.assay_callers_block, figures: Sequence[Figure], key: int, names: Names) -> None:
        self._keeper = keeper
        self.name = decode(slice_bytes(block.name))
        self.function: int = block.func.v
        self.cycle: int = block.cycle
        self.members: int = block.members
        self.calls: int = block.calls
        self.self: Dict[str, Any] = self._own(block.self, figures)
        self.total: Dict[str, Any] = self._own(block.total, figures)
        self.callers = self._side(block.callers, figures, key, names)
        self.callees = self._side(block.callees, figures, key, names)

    def _own(self, pointer: int, figures: Sequence[Figure]) -> Dict[str, Any]:
        return {f.name: copied(pointer + 8 * k, 1, TYPES[f.type])[0] for k, f in enumerate(figures)} if pointer else {}

    def _side(self, side: _abi.assay_callers_side, figures: Sequence[Figure], key: int, names: Names) -> Table:
        rows = Arrays(self._keeper, side, side.count, first=1)
        columns: Dict[str, Column] = {"name": rows.slices("name"), "depth": rows.number("depth"), "calls": rows.number("calls")}
        put_figures(columns, rows, ("total", "recursive"), figures, key)
        columns["sites"] = rows.number("sites")
        columns["file"] = rows.coded("file", names.files)
        columns["line"] = rows.number("line")
        columns["function"] = rows.number("func")
        columns["parent"] = rows.number("parent")
        columns["contexts"] = rows.number("contexts")
        columns["cycle"] = rows.number("cycle")
        columns["flags"] = rows.number("flags")
        return Table(columns, {"left_out": side.left_out, "rest": self._own(side.rest, figures)})

    def __repr__(self) -> str:
        return f"<Caller {self.name!r}: {self.callers.count} callers, {self.callees.count} callees>"


class Callers(List[Caller]):
    """The functions that match, the largest total first."""

    def __init__(self, keeper: Keeper) -> None:
        c = structure(_abi.assay_callers, keeper.pointer)
        names, figures = Names(keeper, c.profile), figures_of(c.columns, c.column_count)
        blocks = (_abi.assay_callers_block * c.count).from_address(c.blocks) if c.count else []
        super().__init__(Caller(keeper, block, figures, c.key, names) for block in blocks)
        self.about = about_figures(figures, c.key, found=c.found)

    def _repr_html_(self) -> str:
        from .columns import html_table
        import html
        return "".join(f"<h4>callers of {html.escape(str(b.name))}</h4>{html_table(b.callers, 10)}<h4>what it calls</h4>{html_table(b.callees, 10)}"
                       for b in self[:5])


# ---- annotate ----

class Source(NamedTuple):
    """One source: where it was found (None = nowhere, "" = in the profile), its lines, and which functions are called from them (``row`` is that of the line)."""
    path: str
    found: Optional[str]
    tried: List[str]
    lines: Table
    callees: Table

    def _repr_html_(self) -> str:
        from .columns import html_table
        return html_table(self.lines, 200)


class Annotate(Handle):
    """Sources with what was measured of their lines: a sequence that reads each source when it is asked for, the most expensive first."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._lock = threading.Lock()  # the library has one source at a time

    def __len__(self) -> int:
        keeper = self._open()
        return lib.assay_annotate_count(keeper.pointer)

    @property
    def paths(self) -> List[Optional[str]]:
        """Of all sources."""
        keeper = self._open()
        return [decode(slice_bytes(lib.assay_annotate_path(keeper.pointer, i))) for i in range(len(self))]

    def __getitem__(self, at: Any) -> Source:
        """A source by its number or its path."""
        if isinstance(at, str):
            paths = self.paths
            if at not in paths:
                raise KeyError(at)
            at = paths.index(at)
        keeper, at = self._open(), range(len(self))[at]
        out = ctypes.c_void_p()
        with self._lock:
            call(lib.assay_annotate_file, keeper.pointer, at, ctypes.byref(out))
            return self._source(structure(_abi.assay_annotate_source, out.value))

    def __iter__(self) -> Iterator[Source]:
        return (self[i] for i in range(len(self)))

    @staticmethod
    def _source(s: Any) -> Source:
        def texts(pointer: Optional[int], count: int) -> ListColumn:
            data = copied(pointer, 2 * count, "Q" if ctypes.sizeof(ctypes.c_void_p) == 8 else "I").tolist()
            return ListColumn([decode(ctypes.string_at(at, size)) if at else None for at, size in zip(data[0::2], data[1::2])])

        def plain(record: Any, member: str, format: str, count: int) -> Column:
            return Column(copied(getattr(record, member), count, format))

        def figures(record: Any, members: Sequence[str], count: int, of: Sequence[Figure], key: int) -> Dict[str, Column]:
            return {member if k == key else f"{member} {f.name}": Column(copied(getattr(record, member), count * len(of), TYPES[f.type])[k::len(of)])
                    for k, f in enumerate(of) for member in members if getattr(record, member)}

        n, shown, called = s.count, figures_of(s.columns, s.column_count), figures_of(s.call_columns, s.call_column_count)
        begins = copied(s.callee_begin, n + 1, "I") if s.callee_begin else copied(None, n + 1, "I")
        lines: Dict[str, Column] = {"line": plain(s, "line", "I", n), "text": texts(s.text, n), "state": TextColumn(copied(s.state, n, "B"), STATES)}
        lines["hits"] = ListColumn([h if known else None for h, known in zip(plain(s, "hits", "Q", n).tolist(), plain(s, "has_hits", "B", n).tolist())])
        lines["branches"], lines["branches_hit"] = plain(s, "branches", "I", n), plain(s, "branches_hit", "I", n)
        lines["has_cost"], lines["calls"] = plain(s, "has_cost", "B", n), plain(s, "calls", "Q", n)
        lines.update(figures(s, ("self", "total"), n, shown, s.key))
        lines.update(figures(s, ("in_calls",), n, called, 0))
        m = s.callees.count
        row = [i for i in range(n) for _ in range(begins[i], begins[i + 1])]
        callees: Dict[str, Column] = {"row": ListColumn(row), "name": texts(s.callees.name, m), "calls": plain(s.callees, "calls", "Q", m)}
        callees["function"] = plain(s.callees, "func", "I", m)
        callees.update(figures(s.callees, ("total", "recursive"), m, called, 0))
        tried = [decode(t) or "" for t in (ctypes.c_char_p * s.tried_count).from_address(s.tried)] if s.tried_count else []
        about = about_figures(shown, s.key, call_metrics=[f.name for f in called])
        return Source(decode(slice_bytes(s.path)) or "", decode(s.found), tried, Table(lines, about), Table(callees))


# ---- timeline ----

class Chart:
    """Streams over time: ``functions`` with self and total time, ``streams``, and ``boxes`` of the flame chart (or ``parts`` at one depth). Times are absolute, in ``unit``."""

    def __init__(self, keeper: Keeper, svg: Any = None) -> None:
        c = structure(_abi.assay_chart, keeper.pointer)
        self._svg = svg
        self.unit, self.begin, self.end, self.window = decode(c.unit) or "", c.begin, c.end, (getattr(c, "from"), c.to)
        self.is_spans, self.is_laid_out, self.events, self.depth, self.deepest = c.is_spans, c.is_laid_out, c.events, c.depth, c.deepest
        functions, boxes, parts = c.functions, c.boxes, c.parts
        rows = Arrays(keeper, functions, functions.count)
        self.functions = Table({"name": rows.slices("name"), "self": rows.wide("self"), "total": rows.wide("total"), "streams": rows.number("streams"),
                                "function": rows.number("func")})
        lines = (_abi.assay_chart_line * c.line_count).from_address(c.lines) if c.line_count else []
        self.streams = Table({"label": ListColumn([decode(line.label) for line in lines]), "stream": ListColumn([line.stream.v for line in lines]),
                              "events": ListColumn([line.events for line in lines]), "recorded": ListColumn([line.recorded for line in lines]),
                              "idle": ListColumn([line.idle for line in lines]), "levels": ListColumn([line.levels for line in lines])})
        rows = Arrays(keeper, boxes, boxes.count)
        self.boxes = Table({"stream": rows.number("line"), "depth": rows.number("depth"), "from": rows.number("from"), "to": rows.number("to"),
                            "time": rows.number("time"), "calls": rows.number("calls"), "is_merged": rows.number("is_merged"), "function": rows.number("func"),
                            "name": rows.slices("name")})
        rows = Arrays(keeper, parts, parts.count)
        self.parts = Table({"stream": ListColumn([i for i, line in enumerate(lines) for _ in range(line.part_begin, line.part_end)]),
                            "function": rows.number("function"), "time": rows.number("time")})

    def _repr_svg_(self) -> Optional[str]:
        return self._svg() if self._svg else None


# ---- diff ----

def diff_table(keeper: Keeper) -> Table:
    d = structure(_abi.assay_profile_diff, keeper.pointer)
    n, metrics = d.count, (_abi.assay_diff_metric * d.metric_count).from_address(d.metrics) if d.metric_count else []
    rows = (_abi.assay_diff_func * n).from_address(d.funcs) if n else []
    columns: Dict[str, Column] = {"name": ListColumn([decode(r.name) for r in rows])}
    order = sorted(range(len(metrics)), key=lambda k: k != d.metric)
    arrays = Arrays(keeper, d, n)
    for k in order:
        for member in ("before_self", "after_self", "before_total", "after_total"):
            if getattr(d, member):
                columns[member if k == d.metric else f"{member} {decode(metrics[k].name)}"] = arrays.figures(member, metrics[k].type, len(metrics), k)
    columns["before_calls"], columns["after_calls"] = ListColumn([r.before_calls for r in rows]), ListColumn([r.after_calls for r in rows])
    columns["state"] = ListColumn([CHANGES[r.state] for r in rows])
    columns["file"], columns["module"] = ListColumn([decode(r.file) or None for r in rows]), ListColumn([decode(r.module) or None for r in rows])
    columns["line"], columns["context"] = ListColumn([r.line for r in rows]), ListColumn([r.context for r in rows])
    key = metrics[d.metric] if d.metric_count else None
    about = {"metric": key and decode(key.name), "unit": key and decode(key.unit), "before": key and key.before_total, "after": key and key.after_total,
             "metrics": [decode(m.name) for m in metrics], "same": d.same}
    return Table(columns, about)


def coverage_diff_table(keeper: Keeper) -> Table:
    d = structure(_abi.assay_coverage_diff, keeper.pointer)
    rows = (_abi.assay_diff_file * d.count).from_address(d.files) if d.count else []
    words = [lib.assay_category_name(i).decode() for i in range(_abi.ASSAY_CATEGORIES)]
    columns: Dict[str, Column] = {"path": ListColumn([decode(r.new_path) for r in rows]), "old_path": ListColumn([decode(r.old_path) for r in rows])}
    for name in ("before", "before_hit", "after", "after_hit"):
        columns[name] = ListColumn([getattr(r, name) for r in rows])
    for i, word in enumerate(words):
        columns[word] = ListColumn([r.by_category[i] for r in rows])
    about = {name: getattr(d, name) for name in ("before", "before_hit", "after", "after_hit")}
    return Table(columns, {**about, "categories": dict(zip(words, d.by_category))})
