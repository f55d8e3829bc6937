"""Profiles and coverage data: read, check, analyse, convert. See docs/python.md.

>>> import assay
>>> p = assay.read(DEMO, want="top")
>>> p.top(limit=2)["name"].tolist()
['is_prime', 'count_primes']

Tables are columns over the library's memory, which numpy, pandas and Arrow take without a copy; whatever points into a profile keeps it alive.
"""
from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Iterable, List, NamedTuple, Optional

from . import _abi
from ._library import Keeper, call, encode_path, failure, lib, made, number, structure, text_sink
from ._options import Filter, ReadOptions, WriteOptions, flag, want_mask
from .builder import Builder
from .columns import Column, ListColumn, SliceColumn, Table, TextColumn, WideColumn
from .errors import (AmbiguousFormat, AssayError, Cancelled, ClosedError, Damaged, EmptyInput, Internal, LimitReached, LossRefused, OutOfMemory, SystemFailure,
                     Truncated, UnknownFormat, UnknownVersion, Unsupported, UsageError, WriteFailure)
from .profile import Finding, Loss, Metric, Origin, Profile, Svg, findings_of, format_of, profile_keeper, writing
from .query import Query
from .results import Annotate, Caller, Callers, Chart, Source
from .store import Imported, Report, Store

__version__: str = lib.assay_version().decode()


class Format(NamedTuple):
    """A format and what can be done with it."""
    name: str
    title: str
    extensions: List[str]
    versions: List[str]
    reads: str
    can_read: bool
    can_check: bool
    can_dump: bool
    can_write: bool


class Check(NamedTuple):
    """What a check found. ``errors`` and ``warnings`` count repeats, too."""
    path: str
    format: str
    findings: List[Finding]
    errors: int
    warnings: int

    @property
    def ok(self) -> bool:
        return self.errors == 0

    def _repr_html_(self) -> str:
        columns = {name: ListColumn([getattr(f, name) for f in self.findings]) for name in ("rule", "severity", "message", "offset", "line")}
        return Table(dict(columns))._repr_html_()


def read(path: Any, want: Any = None, **options: Any) -> Profile:
    """Reads a file or directory of any format.

    ``want`` says what of it: the name of a verb ("top", "tree", "callers", "annotate", "timeline", "flame", "diff", "info"), of a part ("graph", "contexts",
    "lines", "events", "coverage", "all"), a list of them, or a number of enum assay_want. Less is faster; a verb that needs more reads the file again. Without it
    everything but calling contexts is read.

    Options: ``format strict max_memory max_output max_string threads symbols maps foreign no_symbols no_structures no_loops proxies filter progress`` and ``options``
    (those of the format), as in struct assay_read_options. ``progress(done, total)`` is called now and then; what it raises, or if it returns true, ends the work.
    """
    origin = Origin(encode_path(path), {k: v for k, v in options.items() if v is not None})
    mask = want_mask(want)
    if mask & _abi.ASSAY_WANT_COARSE:  # as `assay timeline` reads: as fine as the chart will be
        origin = Origin(origin.path, {"columns": 1000, "contexts": False, **origin.options})
    if origin.path == b"-" or not (os.path.isfile(path) or os.path.isdir(path) or not os.path.exists(path)):
        mask = mask or _abi.ASSAY_WANT_ALL & ~_abi.ASSAY_WANT_WHOLE  # a pipe is read once
        return Profile(origin.read(mask), mask, None, os.fsdecode(path))
    return Profile(origin.read(mask), mask, origin)


def read_bytes(data: Any, name: str = "input", want: Any = None, **options: Any) -> Profile:
    """The same of bytes in memory. What a verb needs must be wanted here: there is no file to read again.

    >>> import assay
    >>> assay.read_bytes(b"main;work 3\\n", want="tree").tree()["name"].tolist()
    ['main', 'work']
    """
    block = bytes(memoryview(data))
    mask = want_mask(want)
    o, out = ReadOptions(mask, **options), ctypes.c_void_p()
    o.progress.call(lib.assay_read_memory, block, len(block), encode_path(name, "name"), o, byref(out))
    return Profile(out.value or 0, mask, None, name)


def probe(path: Any) -> str:
    """The format that recognises a file."""
    out = ctypes.c_void_p()
    call(lib.assay_probe, encode_path(path), None, byref(out), None, None)
    return structure(_abi.assay_format_info, out.value).name.decode()


def check(path: Any, **options: Any) -> Check:
    """Everything that is wrong with a file; ``deep=True`` also what takes long.

    >>> import assay
    >>> found = assay.check(DAMAGED)
    >>> found.ok, found.findings[0].rule, found.findings[0].severity
    (False, 'N10', 'error')
    """
    name, o = encode_path(path), ReadOptions(**options)
    keeper = Keeper(made(lib.assay_check, name, o), lib.assay_check_free)
    result = structure(_abi.assay_check_result, keeper.pointer)
    info = structure(_abi.assay_format_info, result.format).name.decode() if result.format else ""
    return Check(name.decode("utf-8", "surrogateescape"), info, findings_of(result.findings, result.count), result.errors, result.warnings)


def dump(path: Any, **options: Any) -> str:
    """Every record of a file by the names of its specification, with offsets."""
    write, parts = text_sink()
    call(lib.assay_dump, encode_path(path), ReadOptions(**options), write, None)
    return b"".join(parts).decode("utf-8", "surrogateescape")


def convert(source: Any, target: Any, to: Optional[str] = None, **options: Any) -> List[Loss]:
    """Reads one file and writes another; ``to`` is ``FORMAT`` or ``FORMAT:VERSION``, else the extension of the target decides. The result says what was lost.

    Options are those of writing: ``strict estimate no_estimate metric sum_up threads options``; ``read`` is a dict of those of reading.
    """
    read_options = ReadOptions(**options.pop("read", {}))
    write_options = WriteOptions(to or format_of(target), **options)
    return writing(lib.assay_convert, encode_path(source), read_options, encode_path(target), write_options, None)


def merge(profiles: Iterable[Any], keep_tests: bool = False, strict: bool = False, max_memory: int = 0, want: Any = "all") -> Profile:
    """Folds any number of profiles or files into one: what is the same is added up (docs/merge.md). Files are read one after the other, so that memory grows with
    the result.

    >>> import assay
    >>> assay.merge([DEMO, DEMO]).metrics[0].total
    69402
    """
    o = _abi.assay_merge_options(size=ctypes.sizeof(_abi.assay_merge_options), keep_tests=flag(keep_tests, "keep_tests"), strict=flag(strict, "strict"),
                                 max_memory=number(max_memory, 64, "max_memory"))
    if isinstance(profiles, (str, bytes, Profile)):
        raise TypeError("merge takes a list of profiles or paths")
    err = _abi.assay_error()
    merger = lib.assay_merger_new(byref(o), byref(err))
    if not merger:
        raise failure(err)
    keeper = Keeper(merger, lib.assay_merger_free)
    mask = want_mask(want) & ~_abi.ASSAY_WANT_WHOLE
    for item in profiles:
        its = profile_keeper(item if isinstance(item, Profile) else read(item, want=mask), "an input")
        call(lib.assay_merger_add, keeper.pointer, its.pointer)
    pointer = lib.assay_merger_finish(keeper.take(), byref(err))  # the library takes it in every case
    if not pointer:
        raise failure(err)
    return Profile(pointer, name="merged")


def build(want: Any = "all", max_memory: int = 0) -> Builder:
    """A builder, to make a profile in memory. See :class:`Builder`."""
    return Builder(want, max_memory)


def formats() -> List[Format]:
    """All formats, by name."""
    def texts(pointer: Optional[int]) -> List[str]:
        found: List[str] = []
        while pointer and (value := ctypes.c_char_p.from_address(pointer).value) is not None:
            found.append(value.decode())
            pointer += ctypes.sizeof(ctypes.c_void_p)
        return found

    listed = (structure(_abi.assay_format_info, lib.assay_format_at(i)) for i in range(lib.assay_format_count()))
    return [Format(f.name.decode(), f.title.decode(), texts(f.extensions), texts(f.versions), (f.reads or b"").decode(),
                   *(bool(f.can & bit) for bit in (_abi.ASSAY_CAN_READ, _abi.ASSAY_CAN_CHECK, _abi.ASSAY_CAN_DUMP, _abi.ASSAY_CAN_WRITE))) for f in listed]


def libraries() -> List[str]:
    """What the library was built with, as "name version"."""
    return lib.assay_libraries().decode().splitlines()


__all__ = [
    "AmbiguousFormat", "Annotate", "AssayError", "Builder", "Caller", "Callers", "Cancelled", "Chart", "Check", "ClosedError", "Column", "Damaged", "EmptyInput",
    "Filter", "Finding", "Format", "Imported", "Internal", "LimitReached", "ListColumn", "Loss", "LossRefused", "Metric", "OutOfMemory", "Profile", "Query",
    "Report", "SliceColumn", "Source", "Store", "Svg", "SystemFailure", "Table", "TextColumn", "Truncated", "UnknownFormat", "UnknownVersion", "Unsupported",
    "UsageError", "WideColumn", "WriteFailure", "build", "check", "convert", "dump", "formats", "libraries", "merge", "probe", "read", "read_bytes",
]
