"""Columns and tables: views of the library's memory that numpy, pandas and Arrow take without a copy.

>>> import assay
>>> table = assay.read(DEMO).top(limit=3)
>>> table["name"].tolist()
['is_prime', 'count_primes', "fib'2"]
>>> memoryview(table["self"].data).tolist()
[27803, 3613, 2545]
"""
from __future__ import annotations

import ctypes
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from . import _arrow
from ._library import Keeper

FORMATS = {"c_uint8": "B", "c_bool": "?", "c_uint32": "I", "c_uint64": "Q", "c_int64": "q", "c_double": "d", "c_size_t": "N"}
TYPES = ("Q", "q", "d")  # enum assay_type
POINTER = "Q" if ctypes.sizeof(ctypes.c_void_p) == 8 else "I"


def view(keeper: Optional[Keeper], address: Optional[int], count: int, format: str) -> memoryview:
    """`count` items at an address, read-only; the keeper lives as long as the view. NULL means 0 in every row."""
    size = ctypes.sizeof(ctypes.c_void_p) if format == "N" else memoryview(bytes(8)).cast(format).itemsize
    if not address or not count:
        return memoryview(bytes(size * count)).cast(POINTER if format == "N" else format)
    block = (ctypes.c_char * (size * count)).from_address(address)
    block.keeper = keeper
    return memoryview(block).cast("B").cast(POINTER if format == "N" else format).toreadonly()


def decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


class Column(Sequence):
    """One column of a table: a sequence of Python values over memory that is not copied.

    ``data`` is a memoryview of what is stored: the numbers themselves, or, where the values are texts, their codes. ``numpy.asarray(column)`` of numbers has
    the same memory.
    """

    __slots__ = ("data", "__weakref__")
    ndim = 1

    def __init__(self, data: memoryview) -> None:
        self.data = data

    def __len__(self) -> int:
        return self.data.shape[0] if self.data.shape else 0

    def _value(self, stored: Any) -> Any:
        return stored

    def _with(self, data: memoryview) -> "Column":
        return type(self)(data)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return self._with(self.data[at])
        return self._value(self.data[at])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def tolist(self) -> list:
        """All values, as Python has them."""
        return self.data.tolist()

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, (Column, list, tuple)):
            return self.tolist() == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return ListColumn, (self.tolist(),)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:6].tolist()))
        return f"<{type(self).__name__} of {len(self)}: {shown}{', ...' if len(self) > 6 else ''}>"

    @property
    def is_contiguous(self) -> bool:
        """Whether values stand next to each other; figures of several metrics stand row by row."""
        return self.data.c_contiguous

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        import numpy
        found = numpy.asarray(self.data)
        if dtype is not None and numpy.dtype(dtype) != found.dtype:
            if copy is False:
                raise ValueError("another type takes a copy")
            return found.astype(dtype)
        return found.copy() if copy else found

    def __buffer__(self, flags: int) -> memoryview:
        return self.data

    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]:
        return _arrow.export_array(self)

    def arrow(self) -> "_arrow.Layout":
        """How Arrow has it."""
        return _arrow.numbers(self.data)


class TextColumn(Column):
    """Texts by code: ``data`` has the codes, ``categories`` the texts. Code 0 is None."""

    __slots__ = ("categories",)

    def __init__(self, data: memoryview, categories: "Sequence[Optional[str]]") -> None:
        super().__init__(data)
        self.categories = categories

    def _with(self, data: memoryview) -> "Column":
        return TextColumn(data, self.categories)

    def _value(self, stored: Any) -> Optional[str]:
        return self.categories[stored]

    def tolist(self) -> List[Optional[str]]:
        codes = self.data.tolist()
        if len(codes) < 64:
            return [self.categories[c] for c in codes]
        known = {c: self.categories[c] for c in set(codes)}
        return [known[c] for c in codes]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        return objects(self, dtype, copy)

    def __buffer__(self, flags: int) -> memoryview:
        raise TypeError("texts have no buffer; their codes do: column.data")

    def arrow(self) -> "_arrow.Layout":
        return _arrow.coded(self.data, self.categories)


class SliceColumn(Column):
    """Texts that stand where they are: ``data`` has address and length of each."""

    __slots__ = ()

    def __len__(self) -> int:
        return super().__len__() // 2

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            first, last, step = at.indices(len(self))
            if step != 1:
                raise ValueError("names can only be cut in one piece")
            return SliceColumn(self.data[2 * first:2 * max(first, last)])
        at = range(len(self))[at]
        return decode(ctypes.string_at(self.data[2 * at], self.data[2 * at + 1])) if self.data[2 * at] else None

    def encoded(self) -> List[Optional[bytes]]:
        """All of them as bytes."""
        read = ctypes.string_at
        return [read(at, length) if at else None for at, length in zip(self.data[0::2].tolist(), self.data[1::2].tolist())]

    def tolist(self) -> List[Optional[str]]:
        return [None if name is None else decode(name) for name in self.encoded()]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        return objects(self, dtype, copy)

    def __buffer__(self, flags: int) -> memoryview:
        raise TypeError("texts have no buffer of their own; use tolist(), or Arrow")

    def arrow(self) -> "_arrow.Layout":
        return _arrow.texts(self.encoded())


class WideColumn(Column):
    """Whole numbers of 128 bits."""

    __slots__ = ()

    def __len__(self) -> int:
        return super().__len__() // 2

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return ListColumn(self.tolist()[at])
        at = range(len(self))[at]
        return self.data[2 * at] | (self.data[2 * at + 1] - ((self.data[2 * at + 1] >> 63) << 64)) << 64

    def tolist(self) -> List[int]:
        return [self[i] for i in range(len(self))]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        return objects(self, dtype, copy)

    def __buffer__(self, flags: int) -> memoryview:
        raise TypeError("numbers of 128 bits have no buffer; use tolist(), or Arrow")

    def arrow(self) -> "_arrow.Layout":
        return _arrow.wide(self.data)


class ListColumn(Column):
    """Values of Python's own: what has no array in the library."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[Any]) -> None:
        super().__init__(memoryview(b""))
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, at: Any) -> Any:
        return ListColumn(self.values[at]) if isinstance(at, slice) else self.values[at]

    def tolist(self) -> list:
        return list(self.values)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        import numpy
        return numpy.array(self.values, dtype=dtype) if all(type(v) in (int, float, bool) for v in self.values) else objects(self, dtype, copy)

    def __buffer__(self, flags: int) -> memoryview:
        raise TypeError("these are Python values; use tolist()")

    def arrow(self) -> "_arrow.Layout":
        return _arrow.values(self.values)


def objects(column: Column, dtype: Any, copy: Optional[bool]) -> Any:
    """An array of Python objects."""
    import numpy
    if copy is False:
        raise ValueError("texts take a copy")
    out = numpy.empty(len(column), dtype=object)
    out[:] = column.tolist()
    return out if dtype is None else out.astype(dtype)


class Table(Dict[str, Column]):
    """Columns by name, all of the same length: a dict, so that ``pandas.DataFrame(table)`` takes it as it is. ``len(table)`` is the number of columns,
    ``table.count`` that of rows. What a verb says of the whole (metric, total, ...) is in ``table.about``.

    Arrow's readers (pyarrow, polars, DuckDB) take it by ``__arrow_c_stream__``.
    """

    def __init__(self, columns: Dict[str, Column], about: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(columns)
        self.about = about or {}

    @property
    def count(self) -> int:
        """How many rows."""
        return len(next(iter(self.values()))) if len(self) else 0

    def rows(self) -> Iterator[Dict[str, Any]]:
        """The rows as dicts."""
        names = list(self)
        return (dict(zip(names, row)) for row in zip(*(c.tolist() for c in self.values())))

    def __arrow_c_schema__(self) -> Any:
        return _arrow.export_schema(self)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _arrow.export_stream(self)

    def __repr__(self) -> str:
        return f"<Table of {self.count} rows: {', '.join(self)}>"

    def __reduce__(self) -> Any:
        return Table, (dict(self), self.about)

    def _repr_html_(self) -> str:
        return html_table(self, 30)


def html_table(table: Table, limit: int) -> str:
    """The first rows, for notebooks; everything that comes from a file is escaped."""
    import html

    def cell(value: Any) -> str:
        if isinstance(value, bool) or value is None:
            return f"<td>{'' if value is None else value}</td>"
        if isinstance(value, (int, float)):
            return f'<td style="text-align: right">{value:,}</td>'
        return f'<td style="text-align: left">{html.escape(str(value).encode("utf-8", "replace").decode())}</td>'

    count = table.count
    head = "".join(f"<th>{html.escape(name)}</th>" for name in table)
    rows = zip(*(c[:limit].tolist() for c in table.values()))
    body = "\n".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    more = f"<p>{count - limit:,} more rows</p>" if count > limit else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>{more}"


# ---- columns of the library's structures ----

class Arrays:
    """The columns of one structure: arrays of `count` rows that its members point to, from row `first` on."""

    def __init__(self, keeper: Optional[Keeper], record: Any, count: int, first: int = 0) -> None:
        self.keeper, self.record, self.count, self.first = keeper, record, count, first

    def raw(self, member: str, format: Optional[str] = None, stride: int = 1, at: int = 0) -> memoryview:
        """Items of an array; with a stride every so many of them, from `at` on."""
        if format is None:
            kind = self.record.of[member]
            format = FORMATS.get(kind, "I")  # ids are structures of 32 bits
        total = memoryview(view(self.keeper, getattr(self.record, member), (self.count + self.first) * stride, format))
        return total[self.first * stride + at::stride] if stride > 1 else total[self.first:]

    def number(self, member: str) -> Column:
        return Column(self.raw(member))

    def coded(self, member: str, categories: Sequence[Optional[str]]) -> TextColumn:
        return TextColumn(self.raw(member), categories)

    def slices(self, member: str) -> SliceColumn:
        data = view(self.keeper, getattr(self.record, member), 2 * (self.count + self.first), "N")
        return SliceColumn(data[2 * self.first:])

    def figures(self, member: str, type: int, stride: int, at: int) -> Column:
        """Values of one metric out of those of all."""
        return Column(self.raw(member, TYPES[type], stride, at))

    def wide(self, member: str) -> WideColumn:
        return WideColumn(view(self.keeper, getattr(self.record, member), 2 * (self.count + self.first), "Q")[2 * self.first:])


def copied(address: Optional[int], count: int, format: str) -> memoryview:
    """Items that will not stay where they are."""
    size = memoryview(bytes(8)).cast(format).itemsize
    return memoryview(ctypes.string_at(address, size * count) if address and count else bytes(size * count)).cast(format)


__all__ = ["Column", "TextColumn", "SliceColumn", "WideColumn", "ListColumn", "Table"]
