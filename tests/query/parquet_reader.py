"""A reader of Parquet by its specification (parquet-format 2.10), with what assay writes of it and nothing else: flat optional columns, data pages of version 1, dictionaries,
runs and bit packing, zstd. It shares no code with the writer, and says so when something is not as the specification has it."""
import ctypes
import ctypes.util
import struct
from pathlib import Path

INT64, DOUBLE, BYTES = 2, 5, 6
PLAIN, RLE, DICTIONARY = 0, 3, 8


class Zstd:
    def __init__(self):
        name = ctypes.util.find_library("zstd")
        self.lib = ctypes.CDLL(name) if name else None
        if self.lib:
            self.lib.ZSTD_decompress.restype = ctypes.c_size_t
            self.lib.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]

    def decompress(self, data, size):
        out = ctypes.create_string_buffer(size or 1)
        got = self.lib.ZSTD_decompress(out, size, data, len(data))
        assert got == size, f"a page has {got} bytes, not {size}"
        return out.raw[:size]


ZSTD = Zstd()


class Thrift:
    """The compact protocol: a structure as a dictionary by field number."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                return value

    def zigzag(self):
        v = self.varint()
        return (v >> 1) ^ -(v & 1)

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return struct.unpack("b", bytes([self.byte()]))[0]
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 8:
            size = self.varint()
            self.at += size
            return bytes(self.data[self.at - size:self.at])
        if kind == 9:
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(count)]
        assert kind == 12, f"type {kind}"
        return self.struct()

    def struct(self):
        out, field = {}, 0
        while True:
            head = self.byte()
            if not head:
                return out
            assert head >> 4, "a field number in full: not written by assay"
            field += head >> 4
            out[field] = self.value(head & 15)


def hybrid(data, at, end, width, count):
    """Runs and packed groups."""
    out = []
    while len(out) < count:
        t = Thrift(data, at)
        head = t.varint()
        at = t.at
        if head & 1:
            size = (head >> 1) * width
            bits = int.from_bytes(data[at:at + size], "little")
            out += [bits >> i * width & (1 << width) - 1 for i in range((head >> 1) * 8)]
        else:
            size = (width + 7) // 8
            out += [int.from_bytes(data[at:at + size], "little")] * (head >> 1)
        at += size
        assert at <= end, "runs beyond the page"
    assert at == end, "bytes after the runs"
    return out[:count]


def plain(kind, is_signed, data, at, count):
    if kind == BYTES:
        out = []
        for _ in range(count):
            size = int.from_bytes(data[at:at + 4], "little")
            out.append(data[at + 4:at + 4 + size].decode())
            at += 4 + size
    else:
        out = list(struct.unpack_from(f"<{count}{'d' if kind == DOUBLE else 'q' if is_signed else 'Q'}", data, at))
        at += 8 * count
    assert at == len(data), "bytes after the values"
    return out


class Table:
    """columns: name -> values, None = null. meanings: what the footer says. chunks: (group, column, statistics, values, encodings)."""

    def __init__(self, path):
        self.data = Path(path).read_bytes()
        assert self.data[:4] == b"PAR1" == self.data[-4:], "magic"
        size = int.from_bytes(self.data[-8:-4], "little")
        t = Thrift(self.data, len(self.data) - 8 - size)
        meta = t.struct()
        assert t.at == len(self.data) - 8, "bytes after the footer"
        root, *leaves = meta[2]
        assert root[5] == len(leaves) == len(meta[7])
        self.rows, self.created_by = meta[3], meta[6].decode()
        self.meanings = {p[1].decode(): p[2].decode() for p in meta[5]}
        self.types, self.columns, self.chunks = {}, {}, []
        for leaf in leaves:
            integer = leaf.get(10, {}).get(10)
            self.types[leaf[4].decode()] = (leaf[1], bool(integer and integer[2]))
            self.columns[leaf[4].decode()] = []
        for group in meta[4]:
            assert len(group[1]) == len(leaves) and group[6] == sum(c[3][7] for c in group[1])
            for chunk in group[1]:
                self.chunk(chunk[3], group[3])
        assert all(len(v) == self.rows for v in self.columns.values()), "rows of columns"

    def chunk(self, meta, rows):
        name = meta[3][0].decode()
        kind, is_signed = self.types[name]
        assert meta[1] == kind and meta[4] == 6 and meta[5] == rows
        at = begin = meta.get(11, meta[9])
        raw, values, dictionary, seen = 0, [], None, set()
        while at < begin + meta[7]:
            if at == meta[9]:
                assert dictionary is not None or 11 not in meta
            t = Thrift(self.data, at)
            head = t.struct()
            page = ZSTD.decompress(self.data[t.at:t.at + head[3]], head[2])
            raw += t.at - at + head[2]
            at = t.at + head[3]
            if head[1] == 2:
                dictionary = plain(kind, is_signed, page, 0, head[7][1])
                seen.add(PLAIN)
                continue
            count, encoding = head[5][1], head[5][2]
            size = int.from_bytes(page[:4], "little")
            levels = hybrid(page, 4, 4 + size, 1, count)
            seen |= {RLE, encoding}
            if encoding == DICTIONARY:
                found = [dictionary[i] for i in hybrid(page, 5 + size, len(page), page[4 + size], sum(levels))] if sum(levels) else []
            else:
                found = plain(kind, is_signed, page, 4 + size, sum(levels))
            it = iter(found)
            values += [next(it) if level else None for level in levels]
        assert at == begin + meta[7] and raw == meta[6] and len(values) == rows and seen <= set(meta[2])
        self.chunks.append((name, self.limits(meta[12], kind, is_signed), values, seen))
        self.columns[name] += values

    @staticmethod
    def limits(stats, kind, is_signed):
        """Nulls, smallest and largest."""
        def value(data):
            return data.decode() if kind == BYTES else struct.unpack("<d" if kind == DOUBLE else "<q" if is_signed else "<Q", data)[0]
        return stats[3], value(stats[6]) if 6 in stats else None, value(stats[5]) if 5 in stats else None
