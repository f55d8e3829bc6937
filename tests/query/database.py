"""An HPCToolkit database as its specification has it, read by plain Python that shares nothing with assay: contexts with the functions they are in, and the values of profiles."""
import struct

FUNCTION, LOOP = 0, 1  # lexicalType


class Context:
    def __init__(self, lexical, function, file, line):
        self.lexical, self.function, self.file, self.line = lexical, function, file, line


class Database:
    def __init__(self, folder):
        self.meta, self.profile = (folder / "meta.db").read_bytes(), (folder / "profile.db").read_bytes()
        self.contexts, self.names, self.kinds = {}, {}, self._kinds()  # contexts by number, names by function
        self.scopes = self._metrics()  # id: (metric, scope)
        self._tree()

    def _get(self, form, at, data=None):
        return struct.unpack_from("<" + form, self.meta if data is None else data, at)

    def _text(self, at):
        return self.meta[at:self.meta.index(0, at)].decode() if at else None

    def _section(self, number):
        return self._get("Q", 16 + 16 * number + 8)[0]

    def _kinds(self):
        at, count = self._get("QB", self._section(1))
        return [self._text(self._get("Q", at + 8 * i)[0]) for i in range(count)]

    def _metrics(self):
        out, (at, count, size, instance) = {}, self._get("QIBB", self._section(2))
        for i in range(count):
            name, instances, _, many = self._get("QQQH", at + i * size)
            for k in range(many):
                scope, number = self._get("QH", instances + k * instance)
                out[number] = (self._text(name), self._text(self._get("Q", scope)[0]))
        return out

    def _function(self, at):
        """What tells functions apart: name, module, file and line. One without a name is named by its place."""
        name, module, offset, file, line = self._get("QQQQI", at)
        path = self._text(self._get("Q", module + 8)[0]) if module else None
        function = (self._text(name) or f"{path}+0x{offset:x}", path or "", file, line)
        self.names[function] = function[0]
        return function

    def _tree(self):
        at, count, size = self._get("QHB", self._section(3))
        todo = []
        for i in range(count):
            length, children, number = self._get("QQI", at + i * size)
            self.contexts[number] = Context(None, 0, None, 0)
            todo.append((children, children + length))
        while todo:
            at, end = todo.pop()
            while at < end:
                length, children, number, flags, _, lexical, words = self._get("QQIBBBB", at)
                flex, function, file, line = at + 32, 0, None, 0
                if flags & 1:
                    function = self._function(self._get("Q", flex)[0])
                    flex += 8
                if flags & 2:
                    source, line = self._get("QI", flex)
                    file = self._text(self._get("Q", source + 8)[0])
                self.contexts[number] = Context(lexical, function, file, line)
                if length:
                    todo.append((children, children + length))
                at += 32 + 8 * words

    def _ids(self, at):
        count = self._get("H", at, self.profile)[0]
        out = {}
        for i in range(count):
            kind, _, logical = self._get("BxHI", at + 8 + 16 * i, self.profile)
            out.setdefault(self.kinds[kind].lower(), logical)
        return out

    def values(self):
        """Of each profile but the summary: its ids, and (context number, metric, scope, value) of all its values."""
        at, count, size = self._get("QIB", self._get("Q", 24, self.profile)[0], self.profile)
        for i in range(1, count):
            n_values, values, n_contexts, indices, ids = self._get("QQI4xQQ", at + i * size, self.profile)
            rows = []
            starts = [self._get("IQ", indices + 12 * k, self.profile) for k in range(n_contexts)] + [(0, n_values)]
            for (context, begin), (_, end) in zip(starts, starts[1:]):
                for v in range(begin, end):
                    number, value = self._get("Hd", values + 10 * v, self.profile)
                    rows.append((context, *self.scopes[number], value))
            yield self._ids(ids), rows
