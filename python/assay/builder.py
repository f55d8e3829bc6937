"""Making a profile in memory: for programs that have figures of their own.

>>> import assay
>>> b = assay.build()
>>> time = b.metric("time", "ns")
>>> main, work = b.function("main", file="app.py", line=1), b.function("work", file="app.py", line=10)
>>> b.cost(main, {time: 5}, line=2)
>>> b.cost(work, {time: 95}, line=11)
>>> b.call(main, work, calls=3, values={time: 95}, line=3)
>>> p = b.seal()
>>> [(r["name"], r["self"], r["total"]) for r in p.top().rows()]
[('work', 95, 95), ('main', 5, 100)]
"""
from __future__ import annotations

import ctypes
import struct
import threading
from array import array
from ctypes import byref
from typing import Any, Dict, List, Mapping, Optional

from . import _abi
from ._library import Handle, Keeper, decode, encode, failure, lib, number
from ._options import want_mask
from .errors import UsageError
from .profile import NODE_KINDS, RELATIONS, Profile, choice

TYPES = {"u64": 0, "i64": 1, "f64": 2}


class Builder(Handle):
    """Takes names, costs, contexts and coverage in any order; :meth:`seal` makes a profile of them. Ids are whole numbers of this builder. A mistake (an id that is
    none, metrics after values) is told by :meth:`seal`. Any thread may call it."""

    def __init__(self, want: Any = "all", max_memory: int = 0) -> None:
        mask = want_mask(want)
        o = _abi.assay_build_options(size=ctypes.sizeof(_abi.assay_build_options), want=mask, max_memory=number(max_memory, 64, "max_memory"))
        err = _abi.assay_error()
        pointer = lib.assay_builder_new(byref(o), byref(err))
        if not pointer:
            raise failure(err)
        self._keeper = Keeper(pointer, lib.assay_builder_free)
        self._lock = threading.RLock()
        self._types: Dict[int, int] = {}
        self._points: Dict[int, int] = {}
        self._blocks: Dict[str, List[int]] = {}

    def _do(self, function: Any, *args: Any) -> Any:
        with self._lock:
            return function(self._open().pointer, *args)

    # ---- names ----

    def string(self, text: Any) -> int:
        """The id of a text; None is 0."""
        if text is None:
            return 0
        data = text if isinstance(text, bytes) else encode(text) if not isinstance(text, str) else text.encode("utf-8", "surrogateescape")
        return self._do(lib.assay_build_string, data, len(data or b"")).v

    def module(self, path: Any, build_id: Any = None) -> int:
        return self._do(lib.assay_build_module, _abi.assay_str_id(self.string(path)), _abi.assay_str_id(self.string(build_id))).v

    def file(self, path: Any, module: int = 0, source: Any = None) -> int:
        """A file by its path, and its source text."""
        found = self._do(lib.assay_build_file, _abi.assay_str_id(self.string(path)), _abi.assay_module_id(number(module, 32, "module")))
        if source is not None:
            self._do(lib.assay_build_file_source, found, _abi.assay_str_id(self.string(source)), _abi.assay_str_id(0))
        return found.v

    def function(self, name: Any, file: Any = 0, module: Any = 0, line: int = 0, last_line: int = 0, offset: int = 0) -> int:
        """A function; file and module are ids or paths. Equal arguments give equal ids."""
        where = file if isinstance(file, int) else self.file(file)
        binary = module if isinstance(module, int) else self.module(module)
        found = self._do(lib.assay_build_func, _abi.assay_str_id(self.string(name)), _abi.assay_file_id(number(where, 32, "file")),
                         _abi.assay_module_id(number(binary, 32, "module")), number(offset, 64, "offset"), number(line, 32, "line"))
        if last_line:
            self._do(lib.assay_build_func_lines, found, number(line, 32, "line"), number(last_line, 32, "last_line"))
        return found.v

    # ---- metrics ----

    def metric(self, name: Any, unit: Any = "count", type: str = "u64", description: Any = None, is_default: bool = False) -> int:
        """A metric of u64, i64 or f64, before the first value."""
        code = choice(TYPES, type, "type")
        text = encode(name, "name")
        if text is None:
            raise TypeError("a metric needs a name")
        found = self._do(lib.assay_build_metric, text, encode(unit, "unit"), code, 0)
        self._types[found.v] = code
        if description is not None:
            self._do(lib.assay_build_metric_text, found, encode(description), None, False)
        if is_default:
            self._do(lib.assay_build_metric_default, found)
        return found.v

    def _packed(self, metric: int, value: Any) -> int:
        """A value as the bits of its metric's type."""
        code = self._types.get(metric)
        if code is None:
            raise UsageError(f"{metric!r} is no metric of this builder")
        if code == 2:
            return struct.unpack("=Q", struct.pack("=d", value))[0]
        return number(value, 64, "a value", signed=code == 1) & 0xFFFFFFFFFFFFFFFF

    def _row(self, values: Mapping[int, Any]) -> Any:
        """An array of a value for each metric."""
        metrics = list(self._types)
        unknown = [m for m in values if m not in self._types]
        if unknown:
            raise UsageError(f"{unknown[0]!r} is no metric of this builder")
        return (ctypes.c_uint64 * max(len(metrics), 1))(*(self._packed(m, values[m]) if m in values else 0 for m in metrics)), len(metrics)

    def _block(self, which: str, function: Any) -> None:
        """Says once which metrics rows have: all there are."""
        metrics = list(self._types)
        if self._blocks.get(which) != metrics:
            ids = (ctypes.c_uint32 * max(len(metrics), 1))(*metrics)
            self._do(function, ids, len(metrics))
            self._blocks[which] = metrics

    # ---- call graph ----

    def _place(self, function: Any, file: Any, line: Any, stream: Any, address: Any) -> _abi.assay_place:
        where = file if isinstance(file, int) else self.file(file)
        return _abi.assay_place(stream=_abi.assay_stream_id(number(stream, 32, "stream")), func=_abi.assay_func_id(number(function, 32, "function")),
                                file=_abi.assay_file_id(number(where, 32, "file")), line=number(line, 32, "line"), address=number(address, 64, "address"))

    def cost(self, function: int, values: Mapping[int, Any], file: Any = 0, line: int = 0, stream: int = 0, address: int = 0) -> None:
        """Adds self cost to a place: values by metric."""
        with self._lock:
            self._block("graph", lib.assay_build_graph_metrics)
            at, (row, count) = self._place(function, file, line, stream, address), self._row(values)
            self._do(lib.assay_build_self, byref(at), row, count)

    def call(self, caller: int, callee: int, calls: int = 1, values: Optional[Mapping[int, Any]] = None, file: Any = 0, line: int = 0, stream: int = 0,
             address: int = 0) -> None:
        """Adds calls from a place, with their inclusive cost; caller 0 = from outside."""
        with self._lock:
            self._block("graph", lib.assay_build_graph_metrics)
            at, (row, count) = self._place(caller, file, line, stream, address), self._row(values or {})
            self._do(lib.assay_build_call, byref(at), _abi.assay_func_id(number(callee, 32, "callee")), number(calls, 64, "calls"), row, count)

    # ---- calling contexts ----

    def stream(self, label: Any, **tuple_: int) -> int:
        """A process, thread, rank, ...; ``stream("rank 3", RANK=3)`` gives it an id tuple."""
        with self._lock:
            found = self._do(lib.assay_build_stream, encode(label, "label"))
            for kind, value in tuple_.items():
                self._do(lib.assay_build_tuple, encode(kind), number(value, 64, kind), number(value, 64, kind), 0)
        return found.v

    def context(self, parent: int, function: int, calls: int = 0, kind: str = "function", relation: str = "call", file: Any = 0, line: int = 0) -> int:
        """The context of a function below another (0 = a root), made when it is not there yet; ``calls`` are added."""
        where = file if isinstance(file, int) else self.file(file)
        node = _abi.assay_node(parent=_abi.assay_node_id(number(parent, 32, "parent")), kind=choice(NODE_KINDS, kind, "kind"),
                               relation=choice(RELATIONS, relation, "relation"), func=_abi.assay_func_id(number(function, 32, "function")),
                               file=_abi.assay_file_id(number(where, 32, "file")), line=number(line, 32, "line"))
        found = self._do(lib.assay_build_node, byref(node))
        if calls:
            self._do(lib.assay_build_node_calls, found, number(calls, 64, "calls"))
        return found.v

    def value(self, node: int, metric: int, value: Any, stream: int = 0) -> None:
        """Adds self cost to a context."""
        with self._lock:
            packed = self._packed(metric, value)
            if metric not in self._points:
                self._points[metric] = self._do(lib.assay_build_scope, _abi.assay_metric_id(metric), 0, None, 0).v
            self._do(lib.assay_build_value, _abi.assay_stream_id(number(stream, 32, "stream")), _abi.assay_node_id(number(node, 32, "node")),
                     _abi.assay_scope_id(self._points[metric]), packed)

    # ---- coverage ----

    def cover(self, file: Any, lines: Any, hits: Any, test: Any = None) -> None:
        """Hits of lines of a file: two numbers, or two sequences. Arrays of uint32 and uint64 (numpy, array) are taken as they are."""
        where = file if isinstance(file, int) else self.file(file)
        if isinstance(lines, int):
            lines, hits = [lines], [hits]
        a, b = column(lines, "I", 32, "line"), column(hits, "Q", 64, "hits")
        if len(a) != len(b):
            raise UsageError(f"{len(a)} lines and {len(b)} hits")
        from ._arrow import address
        self._do(lib.assay_build_coverage_lines, _abi.assay_str_id(self.string(test)), _abi.assay_file_id(number(where, 32, "file")), address(a), address(b), len(a))

    def cover_function(self, function: int, calls: int, test: Any = None) -> None:
        row = _abi.assay_coverage_func(test=_abi.assay_str_id(self.string(test)), func=_abi.assay_func_id(number(function, 32, "function")),
                                       calls=number(calls, 64, "calls"))
        self._do(lib.assay_build_coverage_func, byref(row))

    def cover_branch(self, file: Any, line: int, block: Any, name: Any, hits: int, test: Any = None) -> None:
        where = file if isinstance(file, int) else self.file(file)
        row = _abi.assay_coverage_branch(test=_abi.assay_str_id(self.string(test)), file=_abi.assay_file_id(number(where, 32, "file")), line=number(line, 32, "line"),
                                         block=_abi.assay_str_id(self.string(block)), name=_abi.assay_str_id(self.string(name)), hits=number(hits, 64, "hits"))
        self._do(lib.assay_build_coverage_branch, byref(row))

    # ---- facts and the end ----

    def attribute(self, key: str, value: str, stream: int = 0) -> None:
        k, v = encode(key, "key"), encode(value, "value")
        if k is None or v is None:
            raise TypeError("an attribute has a key and a value")
        self._do(lib.assay_build_attribute, _abi.assay_stream_id(number(stream, 32, "stream")), k, len(k), v, len(v))

    def seal(self, name: str = "") -> Profile:
        """The profile. The builder is closed, also when this fails."""
        with self._lock:
            keeper = self._open()
            err = _abi.assay_error()
            self._keeper = None
            pointer = lib.assay_builder_seal(keeper.take(), byref(err))  # the library takes the builder in every case
        if not pointer:
            raise failure(err)
        return Profile(pointer, name=decode(encode(name)) or "")


def column(values: Any, format: str, bits: int, what: str) -> memoryview:
    """Numbers of one type next to each other; what is so already is not copied."""
    try:
        found = memoryview(values)
        if found.format.lstrip("@=<") in ((format, "L") if format == "Q" else (format,)) and found.c_contiguous and found.ndim == 1:
            return found.cast("B").cast(format)
    except TypeError:
        pass
    return memoryview(array(format, [number(v, bits, what) for v in values]))

