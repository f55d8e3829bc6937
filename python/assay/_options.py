"""Structures of options out of keyword arguments. What a structure points to is kept with it."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, List, Mapping, Optional, Tuple

from . import _abi
from ._library import Strings, call, encode, lib, number

# What readers can be asked for; the other bits of enum assay_want say how.
SHAPES = {"sums": _abi.ASSAY_WANT_SUMS, "arcs": _abi.ASSAY_WANT_ARCS, "costs": _abi.ASSAY_WANT_COSTS, "graph": _abi.ASSAY_WANT_GRAPH,
          "contexts": _abi.ASSAY_WANT_TREE, "whole": _abi.ASSAY_WANT_WHOLE | _abi.ASSAY_WANT_TREE, "lines": _abi.ASSAY_WANT_LINES,
          "events": _abi.ASSAY_WANT_TIMELINE, "coverage": _abi.ASSAY_WANT_COVERAGE, "counts": _abi.ASSAY_WANT_COUNTS, "labels": _abi.ASSAY_WANT_LABELS,
          "all": _abi.ASSAY_WANT_ALL}
DEFAULT = (_abi.ASSAY_WANT_GRAPH | _abi.ASSAY_WANT_LINES | _abi.ASSAY_WANT_TIMELINE | _abi.ASSAY_WANT_COVERAGE | _abi.ASSAY_WANT_COUNTS
           | _abi.ASSAY_WANT_LABELS)  # what 0 means to the library
HOW = _abi.ASSAY_WANT_TOTALS | _abi.ASSAY_WANT_EITHER | _abi.ASSAY_WANT_COARSE | _abi.ASSAY_WANT_SPARSE


def flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{what} must be True or False, not {type(value).__name__}")
    return value


def pairs(options: Optional[Mapping[str, Any]]) -> Tuple[Any, int, list]:
    """Keys and values as struct assay_option: True is a flag, None and False are left out, of a list every item counts."""
    found: List[Tuple[bytes, Optional[bytes]]] = []
    for key, value in (options or {}).items():
        name = encode(key.replace("_", "-") if key.islower() else key, "an option")
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is True:
                found.append((name, None))
            elif item is not None and item is not False:
                found.append((name, encode(str(item) if isinstance(item, (int, float)) else item, f"the option {key}")))
    array = (_abi.assay_option * max(len(found), 1))(*(_abi.assay_option(k, v) for k, v in found))
    return array, len(found), found


class Progress:
    """A callback of the library on one of Python's: what that raises is raised when the call has ended."""

    def __init__(self, function: Optional[Callable[[int, int], Any]]) -> None:
        self.raised: Optional[BaseException] = None
        if function is not None and not callable(function):
            raise TypeError(f"progress must be a function, not {type(function).__name__}")

        def tell(_arg, done, total):
            try:
                return 1 if function(done, total) else 0
            except BaseException as e:  # noqa: B902  # it goes on to the caller
                self.raised = e
                return 1

        self.pointer = _abi.CALLBACKS["assay_progress_fn"](tell) if function else None

    def call(self, *args: Any) -> int:
        try:
            return call(*args)
        except Exception:
            if self.raised is not None:
                raise self.raised from None
            raise


def maps_of(maps: Any) -> Tuple[Any, int, list]:
    """FROM: TO pairs."""
    items = [(encode(a, "a map"), encode(b, "a map")) for a, b in dict(maps or {}).items()]
    return (_abi.assay_path_map * max(len(items), 1))(*(_abi.assay_path_map(a, b) for a, b in items)), len(items), items


class Filter:
    """Which part of a profile to keep; the names are those of the command's options (docs/filters.md, docs/coverage.md).

    Lists of patterns: ``focus ignore focus_self hide hide_paths show show_from modules files streams includes excludes source_roots exclude_lines tag_focus tag_ignore tag_root
    tag_leaf``; ``time`` is ``"A..B"``; ``maps`` a dict of path beginnings; ``marks`` a number of enum assay_marks; flags: ``follow_links lines throw_branches
    unreachable_branches``.
    """

    LISTS = {"source_roots": "source_root", "includes": "include", "excludes": "exclude", "focus": "focus", "ignore": "ignore", "hide": "hide", "focus_self": "focus_self", "hide_paths": "hide_path",
             "modules": "module", "files": "file", "streams": "stream", "exclude_lines": "exclude_line", "show": "show", "show_from": "show_from",
             "tag_focus": "tag_focus", "tag_ignore": "tag_ignore", "tag_root": "tag_root", "tag_leaf": "tag_leaf"}
    FLAGS = ("follow_links", "lines", "throw_branches", "unreachable_branches")

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.raw = raw = _abi.assay_filter(size=ctypes.sizeof(_abi.assay_filter))
        self.kept: list = []
        for key, value in options.items():
            if key in self.LISTS:
                texts = Strings(value, key)
                self.kept.append(texts)
                setattr(raw, key, texts.pointer)
                setattr(raw, self.LISTS[key] + "_count", texts.count)
            elif key in self.FLAGS:
                setattr(raw, key, flag(value, key))
            elif key == "maps":
                array, raw.map_count, kept = maps_of(value)
                self.kept += [array, kept]
                raw.maps = ctypes.addressof(array)
            elif key == "time":
                raw.time = encode(value, "time")
            elif key == "marks":
                raw.marks = number(value, 32, "marks")
            elif key == "max_memory":
                raw.max_memory = number(value, 64, "max_memory")
            else:
                raise TypeError(f"a filter has no option {key!r}")

    def __repr__(self) -> str:
        return f"Filter({', '.join(f'{k}={v!r}' for k, v in self.options.items())})"

    @property
    def _as_parameter_(self) -> Any:
        """So that the object itself is the argument of a call, which keeps it and what it points to."""
        return ctypes.byref(self.raw)


class ReadOptions:
    """struct assay_read_options."""

    FLAGS = ("strict", "no_symbols", "no_structures", "no_loops", "foreign", "deep", "sources", "contexts")
    NUMBERS = {"max_memory": 64, "max_output": 64, "max_string": 64, "columns": 32, "threads": 16}
    TEXTS = ("format", "style", "time")

    def __init__(self, want: int = 0, progress: Any = None, **options: Any) -> None:
        self.options = dict(options)
        self.raw = raw = _abi.assay_read_options(size=ctypes.sizeof(_abi.assay_read_options), want=want)
        self.kept: list = []
        self.progress = Progress(progress)
        if self.progress.pointer:
            raw.progress = ctypes.cast(self.progress.pointer, ctypes.c_void_p)
        for key, value in options.items():
            if key in self.FLAGS:
                setattr(raw, key, flag(value, key))
            elif key in self.NUMBERS:
                setattr(raw, key, number(value, self.NUMBERS[key], key))
            elif key in self.TEXTS:
                setattr(raw, key, encode(value, key))
            elif not self.put_list(raw, key, value):
                raise TypeError(f"reading has no option {key!r}")

    def put_list(self, raw: Any, key: str, value: Any) -> bool:
        if key in ("proxies", "symbols"):
            texts = Strings(value, key)
            self.kept.append(texts)
            setattr(raw, "proxies" if key == "proxies" else "symbol_paths", texts.pointer)
            setattr(raw, "proxy_count" if key == "proxies" else "symbol_path_count", texts.count)
        elif key == "maps":
            array, raw.map_count, kept = maps_of(value)
            self.kept += [array, kept]
            raw.maps = ctypes.addressof(array)
        elif key == "options":
            array, raw.option_count, kept = pairs(value)
            self.kept += [array, kept]
            raw.options = ctypes.addressof(array)
        elif key == "filter":
            if value is not None and not isinstance(value, Filter):
                raise TypeError("filter must be an assay.Filter")
            self.kept.append(value)
            raw.filter = ctypes.addressof(value.raw) if value is not None else None
        else:
            return False
        return True

    @property
    def _as_parameter_(self) -> Any:
        """So that the object itself is the argument of a call, which keeps it and what it points to."""
        return ctypes.byref(self.raw)


class WriteOptions:
    """struct assay_write_options."""

    FLAGS = ("strict", "estimate", "no_estimate", "sum_up", "foreign")

    def __init__(self, to: Any, **options: Any) -> None:
        self.raw = raw = _abi.assay_write_options(size=ctypes.sizeof(_abi.assay_write_options), format=encode(to, "the format"))
        self.kept: list = []
        for key, value in options.items():
            if key in self.FLAGS:
                setattr(raw, key, flag(value, key))
            elif key == "metric":
                raw.metric = encode(value, "metric")
            elif key == "memory":
                raw.memory = number(value, 64, key)
            elif key == "threads":
                raw.threads = number(value, 16, key)
            elif key == "options":
                array, raw.option_count, kept = pairs(value)
                self.kept += [array, kept]
                raw.options = ctypes.addressof(array)
            elif key == "maps":
                array, raw.map_count, kept = maps_of(value)
                self.kept += [array, kept]
                raw.maps = ctypes.addressof(array)
            else:
                raise TypeError(f"writing has no option {key!r}")

    @property
    def _as_parameter_(self) -> Any:
        """So that the object itself is the argument of a call, which keeps it and what it points to."""
        return ctypes.byref(self.raw)


# ---- what to read ----

def verb_want(verb: str, options: Mapping[str, Any], inputs: int = 1) -> int:
    """What the command reads for a verb with these options."""
    array, count, _kept = pairs(options)
    sink = _abi.assay_report_sink(size=ctypes.sizeof(_abi.assay_report_sink))
    out = ctypes.c_void_p()
    call(lib.assay_reporter_new, encode(verb), array, count, inputs, ctypes.byref(sink), ctypes.byref(out))
    want = lib.assay_reporter_want(out)
    lib.assay_reporter_free(out)
    return want & ~_abi.ASSAY_WANT_SPARSE


def want_mask(want: Any) -> int:
    """A mask out of what people say: a number of enum assay_want, names of verbs ("top") and of shapes ("contexts"), or a list of them."""
    if want is None:
        return 0
    if isinstance(want, int) and not isinstance(want, bool):
        return number(want, 32, "want") & ~_abi.ASSAY_WANT_SPARSE
    mask = 0
    for word in [want] if isinstance(want, str) else want:
        if not isinstance(word, str):
            raise TypeError(f"want must be a number, a word or a list of words, not {type(word).__name__}")
        mask |= SHAPES[word] if word in SHAPES else verb_want(word, {}, 2 if word == "diff" else 1)
    return mask


def covers(have: int, need: int) -> bool:
    """Whether what was read is enough."""
    have = have or DEFAULT
    if have & _abi.ASSAY_WANT_WHOLE:
        have |= _abi.ASSAY_WANT_TREE
    if have & _abi.ASSAY_WANT_ARCS:
        have |= _abi.ASSAY_WANT_PAIRS
    limited = have & ~need & (_abi.ASSAY_WANT_TOTALS | _abi.ASSAY_WANT_EITHER | _abi.ASSAY_WANT_COARSE)
    return not limited and not need & ~HOW & ~have

