"""The Arrow C data interface: columns and tables as capsules that pyarrow, polars, DuckDB and others take (arrow.apache.org, "The Arrow PyCapsule Interface").

A structure that is handed out has a number as its private data; `_live` keeps under this number whatever its pointers lead to, until its release function is called.
Whoever takes a structure over copies it, so nothing depends on where it stands.
"""
from __future__ import annotations

import ctypes
import itertools
import sys
from array import array
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_ssize_t, c_void_p
from typing import Any, Dict, List, Optional, Sequence


class ArrowSchema(Structure):
    _fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64), ("children", c_void_p),
                ("dictionary", c_void_p), ("release", c_void_p), ("private_data", c_void_p)]


class ArrowArray(Structure):
    _fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64), ("buffers", c_void_p),
                ("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p), ("private_data", c_void_p)]


class ArrowArrayStream(Structure):
    _fields_ = [("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p), ("release", c_void_p), ("private_data", c_void_p)]


class PyBuffer(Structure):
    _fields_ = [("buf", c_void_p), ("obj", ctypes.py_object), ("len", c_ssize_t), ("itemsize", c_ssize_t), ("readonly", c_int), ("ndim", c_int),
                ("format", c_char_p), ("shape", c_void_p), ("strides", c_void_p), ("suboffsets", c_void_p), ("internal", c_void_p)]


NULLABLE = 2
FORMATS = {"B": b"C", "?": b"C", "I": b"I", "Q": b"L", "q": b"l", "d": b"g", "i": b"i"}
python = ctypes.PyDLL(None)  # not pythonapi, whose functions every module shares and may declare otherwise
python.PyObject_GetBuffer.argtypes = [ctypes.py_object, POINTER(PyBuffer), c_int]
python.PyBuffer_Release.argtypes = [POINTER(PyBuffer)]
python.PyBuffer_Release.restype = None
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]
python.PyCapsule_GetPointer.restype = c_void_p
python.PyCapsule_GetPointer.argtypes = [c_void_p, c_char_p]


def address(data: memoryview) -> int:
    """Where the bytes of a contiguous view stand."""
    found = PyBuffer()
    python.PyObject_GetBuffer(data, byref(found), 0)
    at = found.buf or 0
    python.PyBuffer_Release(byref(found))
    return at


# ---- what a column is to Arrow ----

class Layout:
    """A type, and buffers of which None stands for "no nulls"."""

    def __init__(self, format: bytes, length: int, buffers: List[Optional[memoryview]], null_count: int = 0, dictionary: "Optional[Layout]" = None,
                 children: "Optional[Dict[str, Layout]]" = None) -> None:
        self.format, self.length, self.buffers, self.null_count = format, length, buffers, null_count
        self.dictionary, self.children = dictionary, children or {}


def together(data: memoryview) -> memoryview:
    """The same values next to each other: only this copies, and only what is spread."""
    return data if data.c_contiguous else memoryview(data.tobytes()).cast(data.format)


def numbers(data: memoryview) -> Layout:
    return Layout(FORMATS[data.format], len(data), [None, together(data)])


def wide(data: memoryview) -> Layout:
    """128 bits, as a decimal without fraction."""
    if sys.byteorder == "big":
        pairs = data.tolist()
        data = memoryview(array("Q", [pairs[i ^ 1] for i in range(len(pairs))]))
    return Layout(b"d:38,0", len(data) // 2, [None, data])


def coded(codes: memoryview, categories: Sequence[Optional[str]]) -> Layout:
    """Codes and a dictionary; where that would be most of it, the texts themselves."""
    if len(categories) > 2 * len(codes) + 64:
        return texts([None if t is None else as_bytes(t) for t in (categories[c] for c in codes.tolist())])
    encoded = getattr(categories, "encoded", None)
    found = texts(encoded() if encoded else [None if t is None else as_bytes(t) for t in categories])
    return Layout(FORMATS[codes.format], len(codes), [None, together(codes)], dictionary=found)


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def valid(data: bytes) -> bytes:
    """Arrow's texts are UTF-8; other bytes become \\x80."""
    try:
        data.decode()
        return data
    except UnicodeDecodeError:
        return data.decode("utf-8", "backslashreplace").encode()


def bitmap(present: Sequence[bool]) -> memoryview:
    out = bytearray((len(present) + 7) // 8)
    for i, is_there in enumerate(present):
        if is_there:
            out[i >> 3] |= 1 << (i & 7)
    return memoryview(out)


def texts(values: Sequence[Optional[bytes]], format: bytes = b"u") -> Layout:
    parts = [b"" if v is None else valid(v) if format == b"u" else v for v in values]
    total = sum(map(len, parts))
    is_large = total >= 1 << 31
    offsets = array("q" if is_large else "i", itertools.accumulate(map(len, parts), initial=0))
    nulls = sum(v is None for v in values)
    present = bitmap([v is not None for v in values]) if nulls else None
    return Layout(format.upper() if is_large else format, len(parts), [present, memoryview(offsets), memoryview(b"".join(parts))], nulls)


def values(found: Sequence[Any]) -> Layout:
    """Python's own values: whole numbers, fractions, texts or bytes, and None."""
    kinds = {type(v) for v in found if v is not None}
    if kinds <= {str}:
        return texts([None if v is None else as_bytes(v) for v in found])
    if kinds <= {bytes, str}:
        return texts([as_bytes(v) if isinstance(v, str) else v for v in found], b"z")
    if not kinds <= {int, bool, float}:
        raise TypeError(f"Arrow has no type for {', '.join(sorted(k.__name__ for k in kinds))} in one column")
    nulls = sum(v is None for v in found)
    whole = [0 if v is None else v for v in found]
    code = "d" if float in kinds or min(whole) < -(1 << 63) or max(whole) >= 1 << 64 else "q" if max(whole) < 1 << 63 else "Q"
    if code == "Q" and min(whole) < 0:
        code = "d"
    data = memoryview(array(code, map(float, whole) if code == "d" else whole))
    return Layout(FORMATS[code], len(whole), [bitmap([v is not None for v in found]) if nulls else None, data], nulls)


def batch(table: Any) -> Layout:
    return Layout(b"+s", table.count, [None], children={name: column.arrow() for name, column in table.items()})


# ---- structures ----

_live: Dict[int, tuple] = {}
_numbers = itertools.count(1)


def _keep(*things: Any) -> int:
    number = next(_numbers)
    _live[number] = things
    return number


def _pointers(items: Sequence[Structure]) -> Any:
    return (c_void_p * len(items))(*(ctypes.addressof(i) for i in items)) if items else None


def _release(kind: Any) -> Any:
    """The release function of schemas or arrays: releases what is below, then lets go of what the structure led to."""
    def release(at):
        record = kind.from_address(at)
        if not record.release:
            return
        below = list((c_void_p * record.n_children).from_address(record.children)) if record.n_children else []
        for child in below + ([record.dictionary] if record.dictionary else []):
            release(child)
        record.release = None
        _live.pop(record.private_data, None)
    return CFUNCTYPE(None, c_void_p)(release), release


release_schema, _release_schema = _release(ArrowSchema)
release_array, _release_array = _release(ArrowArray)


def fill_schema(out: ArrowSchema, layout: Layout, name: str = "") -> ArrowSchema:
    children = [fill_schema(ArrowSchema(), child, key) for key, child in layout.children.items()]
    dictionary = fill_schema(ArrowSchema(), layout.dictionary) if layout.dictionary else None
    pointers, named = _pointers(children), as_bytes(name).replace(b"\0", b"")
    texts_of = (ctypes.create_string_buffer(layout.format), ctypes.create_string_buffer(named))
    out.format, out.name, out.metadata, out.flags = ctypes.addressof(texts_of[0]), ctypes.addressof(texts_of[1]), None, NULLABLE
    out.n_children, out.children = len(children), ctypes.addressof(pointers) if pointers is not None else None
    out.dictionary = ctypes.addressof(dictionary) if dictionary is not None else None
    out.release = ctypes.cast(release_schema, c_void_p)
    out.private_data = _keep(children, dictionary, pointers, texts_of)
    return out


def fill_array(out: ArrowArray, layout: Layout) -> ArrowArray:
    children = [fill_array(ArrowArray(), child) for child in layout.children.values()]
    dictionary = fill_array(ArrowArray(), layout.dictionary) if layout.dictionary else None
    pointers = _pointers(children)
    buffers = (c_void_p * len(layout.buffers))(*(address(b) if b is not None else None for b in layout.buffers))
    out.length, out.null_count, out.offset, out.n_buffers, out.n_children = layout.length, layout.null_count, 0, len(layout.buffers), len(children)
    out.buffers, out.children = ctypes.addressof(buffers), ctypes.addressof(pointers) if pointers is not None else None
    out.dictionary = ctypes.addressof(dictionary) if dictionary is not None else None
    out.release = ctypes.cast(release_array, c_void_p)
    out.private_data = _keep(children, dictionary, pointers, buffers, layout)
    return out


# ---- streams: one batch ----

def _stream_schema(at, out):
    layout = _live[ArrowArrayStream.from_address(at).private_data][0]["layout"]
    fill_schema(ArrowSchema.from_address(out), layout)
    return 0


def _stream_next(at, out):
    state = _live[ArrowArrayStream.from_address(at).private_data][0]
    target = ArrowArray.from_address(out)
    if state["is_over"]:
        target.release = None
    else:
        fill_array(target, state["layout"])
        state["is_over"] = True
    return 0


def _stream_error(at):
    return None


def _stream_release(at):
    record = ArrowArrayStream.from_address(at)
    if record.release:
        record.release = None
        _live.pop(record.private_data, None)


stream_schema = CFUNCTYPE(c_int, c_void_p, c_void_p)(_stream_schema)
stream_next = CFUNCTYPE(c_int, c_void_p, c_void_p)(_stream_next)
stream_error = CFUNCTYPE(c_void_p, c_void_p)(_stream_error)
stream_release = CFUNCTYPE(None, c_void_p)(_stream_release)


# ---- capsules ----

_held: Dict[int, Structure] = {}  # structures that a capsule points to, by their addresses


def _destructor(name: bytes, kind: Any, release: Any) -> Any:
    """Releases what nobody took over, and frees the structure."""
    def destroy(capsule):
        at = python.PyCapsule_GetPointer(capsule, name)
        if kind.from_address(at).release:
            release(at)
        _held.pop(at, None)
    return CFUNCTYPE(None, c_void_p)(destroy)


_destroy = {
    b"arrow_schema": _destructor(b"arrow_schema", ArrowSchema, _release_schema),
    b"arrow_array": _destructor(b"arrow_array", ArrowArray, _release_array),
    b"arrow_array_stream": _destructor(b"arrow_array_stream", ArrowArrayStream, _stream_release),
}
_names = {name: ctypes.create_string_buffer(name) for name in _destroy}  # a capsule keeps the pointer to its name


def _capsule(record: Structure, name: bytes) -> Any:
    at = ctypes.addressof(record)
    _held[at] = record
    return python.PyCapsule_New(at, ctypes.cast(_names[name], c_char_p), ctypes.cast(_destroy[name], c_void_p))


def export_schema(table: Any) -> Any:
    return _capsule(fill_schema(ArrowSchema(), batch(table)), b"arrow_schema")


def export_array(column: Any) -> tuple:
    layout = column.arrow()
    return _capsule(fill_schema(ArrowSchema(), layout), b"arrow_schema"), _capsule(fill_array(ArrowArray(), layout), b"arrow_array")


def export_stream(table: Any) -> Any:
    out = ArrowArrayStream(*(ctypes.cast(f, c_void_p).value for f in (stream_schema, stream_next, stream_error, stream_release)))
    out.private_data = _keep({"layout": batch(table), "is_over": False})
    return _capsule(out, b"arrow_array_stream")
