"""A profile or coverage report, and everything that can be asked of it."""
from __future__ import annotations

import ctypes
import os
from array import array
from ctypes import byref
from typing import Any, Dict, FrozenSet, List, Mapping, NamedTuple, Optional, Union

from . import _abi, _schema, results
from ._library import Handle, Keeper, call, decode, encode, encode_path, failure, lib, made, number, slice_bytes, structure, text_sink
from ._options import Filter, ReadOptions, WriteOptions, covers, flag, pairs, verb_want
from .columns import TYPES, Arrays, Column, ListColumn, Table
from .errors import LossRefused, UsageError

SHAPES = {"tree": 1, "graph": 2, "lines": 4, "timeline": 8, "coverage": 16, "labels": 32}
SORTS = {"self": 0, "total": 1, "calls": 2, "name": 3}
COVERAGE_SORTS = {"lines": 0, "functions": 1, "branches": 2, "missed": 3, "name": 4}
TABLE_BY = {None: 0, "function": 0, "file": 1, "directory": 2, "module": 3, "line": 4, "class": 5, "address": 6}
VIEW_KINDS = {"top-down": 0, "bottom-up": 1, "flat": 2, "hot-path": 3}
VIEW_DETAILS = {"calls": 0, "contexts": 1, "functions": 2}
VIEW_SORTS = {None: 0, "self": 1, "total": 2, "calls": 3, "name": 4}
CALLERS_SORTS = {"total": 0, "calls": 1, "name": 2}
DIFF_BY = {"function": 0, "line": 1, "context": 2}
NODE_KINDS = {"function": 0, "entry": 1, "inlined": 2, "loop": 3, "line": 4, "instruction": 5, "other": 6}
RELATIONS = {"lexical": 0, "call": 1, "inlined": 2, "other": 3}
SEVERITIES = ("info", "warning", "error")


class Finding(NamedTuple):
    """One thing that is wrong with a file, or worth knowing. ``repeats``: how many more of this rule are not listed."""
    rule: str
    severity: str
    message: str
    offset: Optional[int]
    line: Optional[int]
    repeats: int


class Loss(NamedTuple):
    """What the target of a conversion could not hold."""
    kind: str
    count: int
    message: str


class Metric(NamedTuple):
    """A metric and its total: exact, whatever its size."""
    id: int
    name: str
    unit: Optional[str]
    type: str
    total: Union[int, float]
    description: Optional[str]
    formula: Optional[str]
    is_default: bool


class Svg(str):
    """A picture; notebooks show it."""

    def _repr_svg_(self) -> str:
        return str(self)


def choice(words: Mapping[Any, int], value: Any, what: str) -> int:
    if value not in words:
        raise UsageError(f"{what} must be one of {', '.join(str(w) for w in words if w)}, not {value!r}")
    return words[value]


def share(percent: Any, what: str) -> float:
    if isinstance(percent, bool) or not isinstance(percent, (int, float)):
        raise TypeError(f"{what} must be a number, not {type(percent).__name__}")
    if not 0 <= percent <= 100:
        raise UsageError(f"{what} must be from 0 to 100 percent, not {percent}")
    return percent / 100


def findings_of(pointer: Optional[int], count: int) -> List[Finding]:
    found = (_abi.assay_finding * count).from_address(pointer) if pointer and count else []
    return [Finding(decode(f.rule) or "", SEVERITIES[min(max(f.severity, 0), 2)], decode(f.message) or "", f.offset if f.has_offset else None, f.line or None,
                    f.repeats) for f in found]


def losses_of(pointer: Optional[int], is_owned: bool = True) -> List[Loss]:
    """Reads, and frees what is the caller's."""
    if not pointer:
        return []
    losses = structure(_abi.assay_losses, pointer)
    found = (_abi.assay_loss * losses.count).from_address(losses.at) if losses.count else []
    out = [Loss(decode(x.kind) or "", x.count, decode(x.message) or "") for x in found]
    if is_owned:
        lib.assay_losses_free(pointer)
    return out


def writing(function: Any, *args: Any) -> List[Loss]:
    """A call whose last arguments are the losses and the error."""
    losses, err = ctypes.c_void_p(), _abi.assay_error()
    rc = function(*args, byref(losses), byref(err))
    found = losses_of(losses.value)
    if rc < 0:
        problem = failure(err)
        if isinstance(problem, LossRefused):
            problem.losses = found
        raise problem
    return found


class Origin(NamedTuple):
    """Where a profile was read from, to read more of it."""
    path: bytes
    options: Dict[str, Any]

    def read(self, want: int, **more: Any) -> int:
        options = ReadOptions(want, **{**self.options, **more})
        out = ctypes.c_void_p()
        options.progress.call(lib.assay_read, self.path, options, byref(out))
        return out.value or 0


class Profile(Handle):
    """A profile or coverage report. :func:`assay.read`, :func:`assay.merge` and :func:`assay.build` make them; nothing changes one.

    >>> import assay
    >>> p = assay.read(DEMO)
    >>> p.format, sorted(p.shapes)
    ('callgrind', ['graph'])
    >>> [(m.name, m.total) for m in p.metrics]
    [('Ir', 34701)]

    A verb that needs more of the file than was read (``want``) reads the file again, as the command would, and keeps what it read.
    """

    def __init__(self, pointer: int, want: int = 0, origin: Optional[Origin] = None, name: Optional[str] = None) -> None:
        self._keeper = Keeper(pointer, lib.assay_profile_release)
        self._want, self._origin, self._parts = want, origin, {}  # type: int, Optional[Origin], Dict[Any, Keeper]
        self.name = name if name is not None else (decode(origin.path) or "") if origin else ""

    def __repr__(self) -> str:
        if self.closed:
            return "<Profile, closed>"
        return f"<Profile {self.name!r}: {self.format or 'built'}, {', '.join(sorted(self.shapes)) or 'no shape'}>"

    def close(self) -> None:
        super().close()
        self._parts = {}

    # ---- what it is ----

    def _record(self, function: Any, kind: Any) -> Any:
        keeper = self._open()
        return keeper, structure(kind, function(keeper.pointer))

    @property
    def format(self) -> str:
        """The format it was read from; "" when it was built."""
        keeper = self._open()
        return lib.assay_profile_format(keeper.pointer).decode()

    @property
    def version(self) -> str:
        keeper = self._open()
        return decode(lib.assay_profile_version(keeper.pointer)) or ""

    @property
    def producer(self) -> str:
        keeper = self._open()
        return decode(slice_bytes(lib.assay_profile_producer(keeper.pointer))) or ""

    def _shapes(self, function: Any) -> FrozenSet[str]:
        keeper = self._open()
        bits = function(keeper.pointer)
        return frozenset(word for word, bit in SHAPES.items() if bits & bit)

    @property
    def shapes(self) -> FrozenSet[str]:
        """What it holds: some of tree, graph, lines, timeline, coverage, labels."""
        return self._shapes(lib.assay_profile_shapes)

    @property
    def offers(self) -> FrozenSet[str]:
        """What its file could give besides."""
        return self._shapes(lib.assay_profile_offers)

    @property
    def metrics(self) -> List[Metric]:
        return [Metric(r["id"], r["name"], r.get("unit"), r["type"], r["total_double"] if r["type"] == "f64" else r["total"], r.get("description"),
                       r.get("formula"), bool(r.get("default"))) for r in self.table("metrics").rows()]

    @property
    def counts(self) -> Dict[str, int]:
        """Named numbers that the reader knows of its file."""
        return {r["name"]: r["value"] for r in self.table("counts").rows()}

    @property
    def attributes(self) -> List[Dict[str, Any]]:
        """Headers of the file, in its order: key, value, and the stream they belong to."""
        return list(self.table("attributes").rows())

    @property
    def warnings(self) -> List[Finding]:
        """What was damaged, guessed or left out while reading."""
        keeper, count = self._open(), ctypes.c_size_t()
        return findings_of(lib.assay_profile_warnings(keeper.pointer, byref(count)), count.value)

    @property
    def strings(self) -> Any:
        """All texts of the profile by id, in one call: a sequence that decodes what is asked for."""
        keeper = self._open()
        return results.Names(keeper, keeper.pointer).strings

    def equal(self, other: "Profile") -> bool:
        """Whether both say the same, whatever the numbers of ids."""
        return self.difference(other) is None

    def difference(self, other: "Profile") -> Optional[str]:
        """A sentence that names the first difference; None = there is none."""
        mine, its, why = self._open(), profile_keeper(other, "other"), ctypes.create_string_buffer(1024)
        return why.value.decode("utf-8", "replace") if call(lib.assay_profile_equal, mine.pointer, its.pointer, why, len(why)) else None

    # ---- tables of the model ----

    tables = tuple(_schema.TABLES)

    def table(self, name: str) -> Table:
        """A table of the model (docs/columns.md), with its columns as they stand in memory. A column that no row fills is left out.

        >>> import assay
        >>> t = assay.read(DEMO).table("functions")
        >>> t["name"][:3].tolist(), t["id"][:3].tolist()
        (['(below main)', 'main', 'fib'], [1, 2, 3])
        """
        if name not in _schema.TABLES:
            raise UsageError(f"there is no table {name!r}; there are {', '.join(_schema.TABLES)}")
        kind, counter, function, numbered, _, listed = _schema.TABLES[name]
        keeper, record = self._record(getattr(lib, function), getattr(_abi, kind))
        count, first = getattr(record, counter), 1 if numbered == "IDS" else 0
        rows = Arrays(keeper, record, count + (numbered == "EACH"), first)
        columns: Dict[str, Column] = {"id": ListColumn(range(1, count + 1))} if numbered == "IDS" else {}
        for column, member, type_, words, _ in listed:
            if getattr(record, member):
                self._put(columns, rows, column, member, type_, words)
        return Table(columns)

    def _put(self, columns: Dict[str, Column], rows: Arrays, name: str, member: str, type_: str, words: Optional[List[str]]) -> None:
        if type_ == "STRING":
            columns[name] = rows.coded(member, self.strings)
        elif type_ == "WORD":
            columns[name] = rows.coded(member, words or [])
        elif type_ == "WIDE":
            columns[name] = rows.wide(member)
        elif type_ != "VALUES":
            columns[name] = rows.number(member)
        else:
            block, metrics = rows.record.block, self._metric_types()
            ids = Arrays(rows.keeper, block, block.metric_count).raw("metrics").tolist()
            for k, metric in enumerate(ids):
                text, code = metrics[metric]
                columns[name if len(ids) == 1 else f"{name} {text}"] = rows.figures(member, code, len(ids), k)

    def _metric_types(self) -> Dict[int, Any]:
        keeper, record = self._record(lib.assay_profile_metrics, _abi.assay_metrics)
        rows = Arrays(keeper, record, record.count, first=1)
        names, types = rows.coded("name", self.strings), rows.number("type")
        return {i + 1: (names[i], types[i]) for i in range(record.count)}

    def values(self, stream: Optional[int] = None, node: Optional[int] = None, metric: Optional[str] = None) -> Table:
        """Values of calling contexts, in one call: of all streams or one, of all contexts or one, of all metrics or one. ``scope`` is a row of the table scopes.

        Metrics of different types do not go into one column: name one of them then.
        """
        part = self._for(_abi.ASSAY_WANT_TREE)
        types = {s["id"]: self._scope(s) for s in part.table("scopes").rows()}
        wanted = {i for i, (name, _) in types.items() if metric is None or name == metric}
        if metric is not None and not wanted:
            raise UsageError(f"no contexts have a metric {metric!r}")
        codes = {types[i][1] for i in wanted} or {0}
        if len(codes) > 1:
            raise UsageError("metrics of these contexts have several types: name one of them")
        return _pull(part._open(), stream, node, None if metric is None else wanted, TYPES[codes.pop()])

    def _scope(self, row: Dict[str, Any]) -> Any:
        return self._metric_types()[row["metric"]]

    # ---- reading more ----

    def _for(self, need: int, **reading: Any) -> "Profile":
        """This profile, or one read again with what a verb needs."""
        keeper = self._open()
        if self._origin is None or (covers(self._want, need) and all(self._origin.options.get(k) == v for k, v in reading.items())):
            return self
        key = (need, tuple(sorted(reading.items())))
        found = self._parts.get(key)
        if found is None:
            found = self._parts[key] = Keeper(self._origin.read(need, **reading), lib.assay_profile_release)
        part = Profile.__new__(Profile)
        part._keeper, part._want, part._origin, part._parts, part.name = found, need, None, {}, self.name
        del keeper
        return part

    def _verb(self, verb: str, inputs: int = 1, **options: Any) -> "Profile":
        return self._for(verb_want(verb, options, inputs))

    def _made(self, free: Any, function: Any, *args: Any, also: "tuple" = ()) -> Keeper:
        """The result of a function of this profile."""
        keeper = self._open()
        return Keeper(made(function, keeper.pointer, *args), free, [keeper.pointer, *also])

    # ---- verbs ----

    def top(self, by: Optional[str] = None, metric: Optional[str] = None, sort: Optional[str] = None, limit: int = 0, least: float = 0, cycles: bool = False,
            depth: int = 0) -> Table:
        """What functions cost (``by``: file, directory, module, class, line, address); of coverage, what is covered of each file, or with ``by="directory"`` of each directory.

        ``least`` is in percent of the whole. ``table.about`` has the metric, its unit and total. With several metrics ``self`` and ``total`` are those of
        ``about["metric"]``, and there is a column such as ``"self Dr"`` for each of the others.
        """
        name = encode(metric, "metric")
        part = self._verb("top", by=None if by == "function" else by, metric=metric, cycles=flag(cycles, "cycles"))
        if part._is_coverage() and metric is None:
            return part.coverage(by or "file", sort or "lines")
        o = _abi.assay_table_options(size=ctypes.sizeof(_abi.assay_table_options), by=choice(TABLE_BY, by, "by"), depth=number(depth, 32, "depth"), cycles=cycles,
                                     metric=name, sort=choice(SORTS, sort or "self", "sort"), least=share(least, "least"), limit=number(limit, 64, "limit"))
        return results.top_table(part._made(lib.assay_table_free, lib.assay_table_new, byref(o)))

    def _is_coverage(self) -> bool:
        """As `assay top` decides it: coverage, and nothing of cost."""
        shapes = self.shapes
        return "coverage" in shapes | self.offers and not shapes & {"graph", "tree"}

    def coverage(self, by: str = "file", sort: str = "lines") -> Table:
        """What is covered of each file or directory, least covered first. ``about["total"]`` has the whole.

        >>> import assay
        >>> t = assay.read(COVERAGE).coverage()
        >>> t["path"].tolist(), t["lines_hit"].tolist(), t["lines"].tolist(), t["missing"].tolist()
        (['src/demo.c'], [5], [5], [''])
        """
        part = self._for(_abi.ASSAY_WANT_COVERAGE)
        keeper = part._open()
        out = made(lib.assay_coverage_table_new, keeper.pointer, choice({"file": 0, "directory": 1}, by, "by"), choice(COVERAGE_SORTS, sort, "sort"), 2 ** 64 - 1)
        return results.coverage_table(Keeper(out, lib.assay_coverage_table_free, [keeper.pointer]))

    def tree(self, view: str = "top-down", detail: str = "calls", metric: Optional[str] = None, sort: Optional[str] = None, limit: int = 0, least: float = 0,
             depth: int = 0, function: Optional[str] = None, estimate: bool = True) -> Table:
        """Calling contexts as rows, each before what is below it: top-down, bottom-up, flat, or the hot-path; ``detail`` is calls, contexts or functions.

        ``about["is_estimated"]``: the file has a call graph and no contexts, so that these are a guess (``estimate=False`` refuses).

        >>> import assay
        >>> t = assay.read(STACKS).tree()
        >>> [("  " * (depth - 1) + name, total) for name, depth, total in zip(t["name"], t["depth"], t["total"])][:3]
        [('main', 28), ('  sort_all', 18), ('    compare', 16)]
        """
        kind = choice(VIEW_KINDS, view, "view")
        part = self._verb("tree", no_estimate=not flag(estimate, "estimate"), metric=metric, **{view: True} if kind else {})
        o = _abi.assay_view_options(size=ctypes.sizeof(_abi.assay_view_options), kind=kind, detail=choice(VIEW_DETAILS, detail, "detail"),
                                    sort=choice(VIEW_SORTS, sort, "sort"), estimate=estimate, metric=encode(metric, "metric"), least=share(least, "least"),
                                    limit=number(limit, 64, "limit"), depth=number(depth, 32, "depth"), function=encode(function, "function"))
        return results.view_table(part._made(lib.assay_view_free, lib.assay_view_new, byref(o)))

    def paths(self, metric: Optional[str] = None, callers: bool = False, least: float = 0, estimate: bool = True) -> Table:
        """Contexts by function, as flame graphs and folded stacks have them; with ``callers`` the other way round."""
        part = self._verb("flame", no_estimate=not flag(estimate, "estimate"), metric=metric)
        o = _abi.assay_paths_options(size=ctypes.sizeof(_abi.assay_paths_options), metric=encode(metric, "metric"), callers=flag(callers, "callers"),
                                     estimate=estimate, least=share(least, "least"))
        return results.paths_table(part._made(lib.assay_paths_free, lib.assay_paths_new, byref(o)))

    def callers(self, function: str, metric: Optional[str] = None, sort: str = "total", by_site: bool = False, cycles: bool = False, depth: int = 1,
                limit: int = 0, least: float = 0) -> results.Callers:
        """Who calls a function (a name, or a regular expression), and what it calls.

        >>> import assay
        >>> found = assay.read(DEMO).callers("is_prime")[0]
        >>> found.name, found.calls, found.callers["name"].tolist()
        ('is_prime', 600, ['count_primes'])
        """
        part = self._verb("callers", metric=metric, depth=depth if number(depth, 32, "depth") > 1 else None, cycles=flag(cycles, "cycles"),
                          FUNCTION=function)
        o = _abi.assay_callers_options(size=ctypes.sizeof(_abi.assay_callers_options), metric=encode(metric, "metric"), sort=choice(CALLERS_SORTS, sort, "sort"),
                                       by_site=flag(by_site, "by_site"), cycles=cycles, depth=depth, limit=number(limit, 64, "limit"), least=share(least, "least"))
        name = encode(function, "function")
        if name is None:
            raise TypeError("function must not be None")
        return results.Callers(part._made(lib.assay_callers_free, lib.assay_callers_new, name, byref(o)))

    def annotate(self, coverage: "Optional[Profile]" = None, filter: Optional[Filter] = None, folder: Any = None, metric: Optional[str] = None) -> results.Annotate:
        """Sources with hits and cost of each line; ``coverage`` is a report that is shown next to the cost."""
        part = self._verb("annotate", metric=metric)
        other = None if coverage is None else profile_keeper(coverage, "coverage")
        if filter is not None and not isinstance(filter, Filter):
            raise TypeError("filter must be an assay.Filter")
        o = _abi.assay_annotate_options(size=ctypes.sizeof(_abi.assay_annotate_options), coverage=other.pointer if other else None,
                                        filter=ctypes.addressof(filter.raw) if filter else None, folder=encode(folder, "folder"), metric=encode(metric, "metric"))
        mine = part._open()
        pointer = made(lib.assay_annotate_new, mine.pointer, byref(o))
        return results.Annotate(Keeper(pointer, lib.assay_annotate_free, [mine.pointer, *([other.pointer] if other else [])], also=(o, filter)))

    def timeline(self, depth: Optional[int] = None, time: Optional[str] = None, columns: int = 500, streams: int = 0) -> results.Chart:
        """What each stream did over time: a flame chart, or with ``depth`` (0 = innermost) one depth of its stacks. ``time`` is ``"A..B"``."""
        width = number(columns, 31, "columns")
        text = encode(time, "time")
        part = self._for(verb_want("timeline", {}), columns=2 * max(width, 500), contexts=depth is not None, **({"time": time} if time is not None else {}))
        level = 0 if depth is None else number(depth, 32, "depth") or _abi.ASSAY_CHART_INNERMOST
        o = _abi.assay_chart_options(size=ctypes.sizeof(_abi.assay_chart_options), time=text, depth=level, columns=width, streams=number(streams, 64, "streams"))
        return results.Chart(part._made(lib.assay_chart_free, lib.assay_chart_new, byref(o)), lambda: self.report("timeline", svg=True))

    def diff(self, after: "Profile", by: str = "function", metric: Optional[str] = None, normalise: bool = False, branches: bool = False) -> Table:
        """What changed from this profile to another; of two coverage reports, what is covered of each file now and then."""
        way = choice(DIFF_BY, by, "by")
        profile_keeper(after, "after")
        a, b = self._verb("diff", 2, by=None if by == "function" else by), after._verb("diff", 2, by=None if by == "function" else by)
        its = b._open()
        if a.shapes == b.shapes == {"coverage"}:
            patch = _abi.assay_patch_options(size=ctypes.sizeof(_abi.assay_patch_options), branches=flag(branches, "branches"))
            return results.coverage_diff_table(a._made(lib.assay_coverage_diff_free, lib.assay_coverage_diff_new, its.pointer, None, byref(patch),
                                                       also=(its.pointer,)))
        o = _abi.assay_profile_diff_options(size=ctypes.sizeof(_abi.assay_profile_diff_options), metric=encode(metric, "metric"), by=way,
                                            normalise=flag(normalise, "normalise"))
        return results.diff_table(a._made(lib.assay_profile_diff_free, lib.assay_profile_diff_new, its.pointer, byref(o), also=(its.pointer,)))

    def stats(self, metric: Optional[str] = None) -> Table:
        """How the cost of each function is spread over the streams (ranks, threads, parts): sum, min, mean, max, standard deviation, imbalance (largest by mean).
        It is the table ``spread`` of :meth:`query`."""
        if metric is not None and not isinstance(metric, str):
            raise TypeError("metric must be a text")
        where = "" if metric is None else " where metric = '" + metric.replace("'", "''") + "'"
        return self.query("select metric, name, source as file, streams, sum, min, mean, max, stddev, imbalance, max_stream, function from spread" + where)

    def query(self, sql: str, max_rows: int = 0, max_memory: int = 0, max_seconds: int = 0) -> Table:
        """The answer to a question in SQL (docs/query.md), about this profile alone; :class:`assay.Query` takes several. Whole numbers are exact.

        >>> import assay
        >>> t = assay.read(DEMO).query("select name, self from top order by self desc limit 2")
        >>> list(t.rows())
        [{'name': 'is_prime', 'self': 27803}, {'name': 'count_primes', 'self': 3613}]
        """
        from .query import Query
        with Query(self, max_rows=max_rows, max_memory=max_memory, max_seconds=max_seconds) as q:
            return q(sql)

    # ---- what the command prints ----

    def report(self, verb: str, **options: Any) -> str:
        """What a verb of the command prints of this profile. Options are those of the command (``by="file"``, ``no_demangle=True``, ``focus=["main"]``).

        >>> import assay
        >>> print(assay.read(DEMO).report("top", limit=1).splitlines()[-1].split())
        ['27.8', 'K', '80.12%', '27.8', 'K', '80.12%', '600', 'is_prime', 'demo.c:10']
        """
        want = verb_want(verb, options)
        part = self._for(want)
        keeper = part._open()
        array_, count, _kept = pairs({**options, "FILE": self.name} if self.name else options)
        write, parts = text_sink()
        sink = _abi.assay_report_sink(size=ctypes.sizeof(_abi.assay_report_sink), write=ctypes.cast(write, ctypes.c_void_p))
        call(lib.assay_report, keeper.pointer, encode(verb, "verb"), array_, count, byref(sink), None)
        return b"".join(parts).decode("utf-8", "surrogateescape")

    def json(self, verb: str, **options: Any) -> Dict[str, Any]:
        """The same with ``--json``, as a dict."""
        import json
        return json.loads(self.report(verb, json=True, **options))

    def info(self) -> Dict[str, Any]:
        """What `assay info --json` says of it."""
        return self.json("info")["files"][0]

    def flame_svg(self, **options: Any) -> Svg:
        """A flame graph, as `assay flame` draws it; options are those of the command."""
        return Svg(self.report("flame", **options))

    # ---- other profiles out of it ----

    def filter(self, **options: Any) -> "Profile":
        """What a filter leaves of it, see :class:`assay.Filter`. A profile of a file is read again, so that what the filter needs is there."""
        chosen = Filter(**options)
        if self._origin is not None and self._origin.options.get("filter") is None:
            origin = Origin(self._origin.path, {**self._origin.options, "filter": chosen})
            self._open()
            return Profile(origin.read(self._want), self._want, origin, self.name)
        keeper = self._open()
        return Profile(made(lib.assay_filter_apply, keeper.pointer, chosen), self._want, None, self.name)

    def graph(self) -> "Profile":
        """The call graph of its calling contexts."""
        part = self._for(_abi.ASSAY_WANT_TREE)
        keeper, out = part._open(), ctypes.c_void_p()
        call(lib.assay_graph_new, keeper.pointer, None, byref(out), None)
        return Profile(out.value or 0, name=self.name)

    def write(self, path: Any, to: Optional[str] = None, **options: Any) -> List[Loss]:
        """Writes what is in memory; ``to`` is ``FORMAT`` or ``FORMAT:VERSION``, else the extension decides. The losses are what the format cannot hold."""
        keeper, target = self._open(), encode_path(path)
        return writing(lib.assay_write, keeper.pointer, target, WriteOptions(to or format_of(path), **options))

    def convert(self, to: str, path: Any = None, **options: Any) -> "Union[bytes, List[Loss]]":
        """As `assay convert` does: the losses, or without a path the bytes. A file goes record by record where the format stays the same, so nothing is lost that
        the model does not know; a profile that was built, merged or filtered is written as it is.

        >>> import assay
        >>> assay.read(STACKS).convert("folded").decode().splitlines()[0]
        'main;read_input 3'
        """
        if path is None:
            import tempfile
            with tempfile.TemporaryDirectory() as folder:
                target = os.path.join(folder, "out")
                self.convert(to, target, **options)
                return tree_bytes(target)
        if self._origin is None or self._origin.path == b"-" or self._origin.options.get("filter") is not None:
            return self.write(path, to, **options)
        self._open()
        read, write = ReadOptions(**self._origin.options), WriteOptions(to, **options)
        return writing(lib.assay_convert, self._origin.path, read, encode_path(path), write, None)

    # ---- notebooks ----

    def _repr_html_(self) -> str:
        import html

        def text(value: Any) -> str:
            return html.escape(str(value).encode("utf-8", "replace").decode())

        rows = [("format", f"{self.format} {self.version}".strip()), ("producer", self.producer), ("shapes", ", ".join(sorted(self.shapes | self.offers)))]
        rows += [(m.name, f"{m.total:,} {m.unit or ''}") for m in self.metrics]
        rows += [("warnings", len(self.warnings))] if self.warnings else []
        body = "".join(f"<tr><th>{text(k)}</th><td>{text(v)}</td></tr>" for k, v in rows if v != "")
        try:
            shown = self.top(limit=10)._repr_html_()
        except Exception:  # noqa: B902  # nothing was measured: the rest is shown all the same
            shown = ""
        return f"<h4>{text(self.name)}</h4><table>{body}</table>{shown}"


def profile_keeper(p: Any, what: str) -> Keeper:
    if not isinstance(p, Profile):
        raise TypeError(f"{what} must be an assay.Profile, not {type(p).__name__}")
    return p._open()


def format_of(path: Any) -> str:
    """The format that writes files with this extension: the longest one counts."""
    name, best = os.fsdecode(path).lower(), ("", "")
    for i in range(lib.assay_format_count()):
        info = structure(_abi.assay_format_info, lib.assay_format_at(i))
        if not info.can & _abi.ASSAY_CAN_WRITE:
            continue
        at = 0
        while ctypes.c_char_p.from_address(info.extensions + at).value is not None:
            extension = ctypes.c_char_p.from_address(info.extensions + at).value.decode()
            at += ctypes.sizeof(ctypes.c_void_p)
            if name.endswith(extension) and len(extension) > len(best[0]):
                best = (extension, info.name.decode())
    if not best[1]:
        raise UsageError(f"no format has the extension of {os.fsdecode(path)!r}: say which with to=")
    return best[1]


def tree_bytes(path: str) -> bytes:
    if os.path.isdir(path):
        raise UsageError("this format is a directory: give a path")
    with open(path, "rb") as f:
        return f.read()


def _pull(keeper: Keeper, stream: Optional[int], node: Optional[int], scopes: Any, format: str) -> Table:
    """Cells of a cursor, many at a time."""
    first, only = number(stream or 0, 32, "stream"), None if node is None else number(node, 32, "node")
    cursor = lib.assay_cursor_new(keeper.pointer, None)
    if not cursor:
        raise MemoryError("assay: no memory for a cursor")
    own, room = Keeper(cursor, lib.assay_cursor_free, also=keeper), 1 << 16
    last = structure(_abi.assay_streams, lib.assay_profile_streams(keeper.pointer)).count if stream is None else first
    out = {"stream": array("I"), "node": array("I"), "scope": array("I"), "value": array(format)}
    nodes, columns, values = (ctypes.c_uint32 * room)(), (ctypes.c_uint32 * room)(), (ctypes.c_uint64 * room)()
    at, count, begin = _abi.assay_stream_id(), ctypes.c_size_t(), first
    while begin <= last:
        call(lib.assay_cursor_seek, cursor, _abi.assay_stream_id(begin), _abi.assay_node_id(only or 0), _abi.assay_scope_id(0))
        while call(lib.assay_cursor_read, cursor, room, byref(at), nodes, columns, values, byref(count)) and at.v <= last:
            if only is not None and at.v != begin:
                break  # the stream has nothing of the node
            n = count.value
            parts = [memoryview(nodes).cast("B").cast("I")[:n], memoryview(columns).cast("B").cast("I")[:n], memoryview(values).cast("B").cast(format)[:n]]
            is_over = only is not None and n and parts[0][n - 1] > only
            if only is not None or scopes is not None:
                keep = [i for i in range(n) if (only is None or parts[0][i] == only) and (scopes is None or parts[1][i] in scopes)]
                parts = [array(p.format, [p[i] for i in keep]) for p in parts]  # type: ignore[misc]
            out["stream"].extend([at.v] * len(parts[0]))
            for name, part in zip(("node", "scope", "value"), parts):
                out[name].frombytes(bytes(part))
            if is_over:
                break
        begin = last + 1 if only is None else begin + 1
    del own
    return Table({name: Column(memoryview(a).toreadonly()) for name, a in out.items()})

