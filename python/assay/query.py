"""Questions in SQL about any number of profiles (docs/query.md).

>>> import assay
>>> with assay.Query(DEMO, tests=COVERAGE) as q:
...     q("select id, name, format from profile").count
2
"""
from __future__ import annotations

import ctypes
import threading
from ctypes import byref
from typing import Any, Dict, List

from . import _abi
from ._library import Handle, Keeper, call, decode, encode, encode_path, lib, made, number, structure
from ._options import ReadOptions
from .columns import ListColumn, Table
from .profile import Profile

EVERYTHING = _abi.ASSAY_WANT_ALL & ~_abi.ASSAY_WANT_WHOLE


class Query(Handle):
    """Inputs whose tables SQL can read: paths and profiles, by position or by name. Files are read when a statement needs them, and only what it needs."""

    def __init__(self, *inputs: Any, max_rows: int = 0, max_memory: int = 0, max_seconds: int = 0, **named: Any) -> None:
        listed = [(None, i) for i in inputs] + list(named.items())
        if not listed:
            raise TypeError("a query needs an input")
        origins = {id(i._origin): i._origin for _, i in listed if isinstance(i, Profile) and i._origin}
        one = next(iter(origins.values())) if len(listed) == 1 and origins else None
        read = ReadOptions(**(one.options if one else {}))
        self._lock = threading.Lock()
        o = _abi.assay_query_options(size=ctypes.sizeof(_abi.assay_query_options), read=ctypes.addressof(read.raw), max_rows=number(max_rows, 64, "max_rows"),
                                     max_memory=number(max_memory, 64, "max_memory"), max_seconds=number(max_seconds, 32, "max_seconds"), exact=True)
        keeper = Keeper(made(lib.assay_query_new, byref(o)), lib.assay_query_free, also=read)
        for name, given in listed:
            self._add(keeper, encode(name), given, one)
        self._keeper = keeper

    @staticmethod
    def _add(keeper: Keeper, name: Any, given: Any, one: Any) -> None:
        if not isinstance(given, Profile):
            call(lib.assay_query_file, keeper.pointer, name, encode_path(given, "an input"))
            return
        origin = given._origin
        given._open()
        if origin and origin.path != b"-" and (one or not origin.options):
            call(lib.assay_query_file, keeper.pointer, name, origin.path)
        else:
            its = given._for(EVERYTHING)._open()
            call(lib.assay_query_profile, keeper.pointer, name, encode(given.name) or b"profile", its.pointer)

    def __call__(self, sql: str) -> Table:
        """The rows of the last statement."""
        keeper, left = self._open(), encode(sql, "sql")
        if left is None:
            raise TypeError("sql must not be None")
        found = Table({})
        with self._lock:
            text = ctypes.create_string_buffer(left)
            at = ctypes.addressof(text)
            while True:
                rows, rest = ctypes.c_void_p(), ctypes.c_void_p()
                call(lib.assay_query_prepare, keeper.pointer, ctypes.cast(at, ctypes.c_char_p), byref(rest), byref(rows))
                if not rows.value:
                    return found
                own = Keeper(rows.value, lib.assay_rows_free, also=(keeper, text))
                try:
                    found = self._rows(own)
                finally:
                    own.free()  # not when the exception is forgotten, outside of the lock
                at = rest.value

    @staticmethod
    def _rows(own: Keeper) -> Table:
        pointer, cell = own.pointer, _abi.assay_query_cell()
        count = lib.assay_rows_column_count(pointer)
        columns: List[list] = [[] for _ in range(count)]
        err, to, step, get = _abi.assay_error(), byref(cell), lib.assay_rows_next, lib.assay_rows_cell
        wide = _abi.ASSAY_CELL_TEXT
        while (rc := step(pointer, byref(err))) == 1:
            for i, column in enumerate(columns):
                get(pointer, i, to)
                kind = cell.type
                if kind == _abi.ASSAY_CELL_INTEGER:
                    column.append(cell.integer)
                elif kind == _abi.ASSAY_CELL_REAL:
                    column.append(cell.real)
                elif kind == _abi.ASSAY_CELL_NULL:
                    column.append(None)
                else:
                    data = ctypes.string_at(cell.text.data, cell.text.len) if cell.text.len else b""
                    column.append(decode(data) if kind == wide else data)
        if rc < 0:
            from ._library import failure
            raise failure(err)
        names: Dict[str, ListColumn] = {}
        for i, column in enumerate(columns):
            name = lib.assay_rows_column_name(pointer, i).decode("utf-8", "surrogateescape")
            names[name if name not in names else f"{name}:{i + 1}"] = ListColumn(column)
        return Table(dict(names))

    def schema(self) -> Dict[str, Dict[str, str]]:
        """Tables and their columns, each with what it is."""
        keeper, found, i = self._open(), {}, 0
        while at := lib.assay_query_table_at(keeper.pointer, i):
            table = structure(_abi.assay_query_table, at)
            columns = (_abi.assay_query_column * table.column_count).from_address(table.columns)
            found[table.name.decode()] = {c.name.decode(): c.text.decode() for c in columns}
            i += 1
        return found
