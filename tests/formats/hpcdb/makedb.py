"""Makes a small database that breaks no rule, from nothing but the layout in docs/formats/hpcdb.md, and remembers where everything is.

  Database().parts       {"meta.db": bytearray, ...}
  Database().at          {label: (file, offset)}: fields that tests plant defects in
  python3 makedb.py DIR  writes it there

Two threads, two metrics with all scopes and statistics, nine contexts of which one (8) is hidden, a context without values (9), traces.
"""
import struct
import sys
from pathlib import Path

KINDS = ["SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"]
SCOPES = [("point", 1, 255), ("function", 3, 0), ("lex_aware", 0, 255), ("execution", 2, 255)]
POINT, FUNCTION, LEX_AWARE, EXECUTION = range(4)
STATS = [("$$", 0), ("1", 0), ("($$^2)", 0), ("$$", 1), ("$$", 2)]
METRICS = ["cycles", "TIME (sec)"]
MODULES = ["/bin/app", "/lib/lib.so"]
FILES = [("src/a.c", 1), ("/b.c", 0)]
FUNCTIONS = [("main", 0, 0x100, 0, 4), ("work", 1, 0x200, 1, 8), ("unused", 0, 0x300, 0, 90)]  # name, module, offset, file, line
FUNCTION_CONTEXT, LOOP, LINE, INSTRUCTION = range(4)
NESTED, CALL = 0, 1
# ctxId: parent, relation, lexical type, function, (file, line), (module, offset)
TREE = {
    2: (1, CALL, FUNCTION_CONTEXT, 0, None, None),
    3: (2, NESTED, LINE, None, (0, 5), None),
    4: (3, CALL, FUNCTION_CONTEXT, 1, None, None),
    7: (3, CALL, INSTRUCTION, None, None, (1, 0x40)),
    5: (4, NESTED, LOOP, None, (1, 9), None),
    9: (4, NESTED, LINE, None, (1, 12), None),
    6: (5, NESTED, LINE, None, (1, 10), None),
}
HIDDEN = {8: (6, NESTED, INSTRUCTION, None, None, (1, 0x80))}
OWN = {(1, 8): 4.0, (1, 7): 2.0, (2, 8): 3.0, (2, 3): 1.0}  # (profile, ctxId): cost of itself; the second metric has a quarter of it
BASE = len(STATS) * len(SCOPES)  # metric ids of one metric
MAIN_THREAD = 1


def align(data, to):
    data.extend(b"\0" * (-len(data) % to))


# One column, of which a viewer shows the inclusive and the exclusive sum.
YAML = """version: 0
inputs:
  - &cycles-execution
    metric: cycles
    scope: execution
    formula: $$
    combine: sum
  - &cycles-function
    metric: cycles
    scope: function
    formula: $$
    combine: sum
roots:
  - name: Cycles
    description: turns of the clock
    variants:
      Sum:
        render: [number, percent]
        formula:
          inclusive:
            standard: *cycles-execution
          exclusive:
            standard: *cycles-function
"""


class Database:
    """gap: zero bytes before section Files; dirty: padding between sections is not zero; chain: so many lines below one another in addition;
    tweak: {(profile, ctxId, metric, scope): value}; unsummed: ctxIds that the summary lacks."""

    def __init__(self, gap=0, dirty=False, chain=0, tweak=None, unsummed=()):
        self.gap, self.dirty, self.unsummed = gap, dirty, set(unsummed)
        self.tree = dict(TREE)
        for i in range(chain):
            self.tree[20 + i] = (6 if i == 0 else 19 + i, NESTED, LINE, None, (1, 10), None)
        self.ctx_count = max(self.tree) + 1 if chain else 10
        self.parts, self.at = {}, {}
        self.yaml = YAML
        self.values = self.propagate()
        for key, value in (tweak or {}).items():
            self.values[key] = value
        self.values = {k: v for k, v in sorted(self.values.items()) if v}
        self.summary = self.summarise()
        self.meta()
        self.profile()
        self.cct()
        self.trace()

    # ---- figures ----

    def propagate(self):
        every = {**self.tree, **HIDDEN}
        children = {}
        for ctx, node in every.items():
            children.setdefault(node[0], []).append(ctx)
        order = [1]
        for ctx in order:
            order.extend(children.get(ctx, []))
        out = {}
        for profile in (1, 2):
            for metric, factor in ((0, 1.0), (1, 0.25)):
                get = lambda ctx, scope: out.get((profile, ctx, metric, scope), 0.0)
                for ctx in reversed([0] + order):
                    kids = [1] if ctx == 0 else children.get(ctx, [])
                    inside = [k for k in kids if k in every and every[k][1] == NESTED]
                    own = OWN.get((profile, ctx), 0.0) * factor
                    loops = {k for k in inside if every[k][2] == LOOP} if ctx in every and every[ctx][2] == LOOP else set()
                    sums = (own, own + sum(get(k, FUNCTION) for k in inside), own + sum(get(k, LEX_AWARE) for k in inside if k not in loops),
                            own + sum(get(k, EXECUTION) for k in kids))
                    for scope, value in enumerate(sums):
                        out[profile, ctx, metric, scope] = value
                for ctx in every:  # lex_aware is function but for loops
                    if every[ctx][2] != LOOP:
                        out[profile, ctx, metric, LEX_AWARE] = get(ctx, FUNCTION)
        return out

    def summarise(self):
        out = {}
        for ctx in sorted({k[1] for k in self.values} - self.unsummed):
            for metric in range(len(METRICS)):
                profiles = {p for p, c, m, _ in self.values if (c, m) == (ctx, metric)}
                for scope in range(len(SCOPES)):
                    v = [self.values[p, ctx, metric, scope] for p in profiles if (p, ctx, metric, scope) in self.values]
                    figures = (sum(v), len(profiles), sum(x * x for x in v), min(v, default=0), max(v, default=0))
                    for stat, value in enumerate(figures):
                        if value:
                            out[ctx, BASE * metric + len(SCOPES) * stat + scope] = float(value)
        return out

    # ---- meta.db ----

    def label(self, file, name, off):
        self.at[name] = (file, off)

    def section(self, data, header_at, name, body, align_to=8):
        """body(start) gives the bytes; sizes leave out the padding."""
        before = len(data)
        align(data, align_to)
        if self.dirty and before > 0x90:
            data[before:] = b"\xaa" * (len(data) - before)
        start = len(data)
        data.extend(body(start))
        struct.pack_into("<QQ", data, header_at, len(data) - start, start)
        self.label("meta.db", name, start)
        self.label("meta.db", "sz" + name, header_at)
        return start

    def meta(self):
        data = bytearray(b"HPCTOOLKITmeta\4\0" + b"\0" * 0x80)
        self.section(data, 0x10, "General", lambda o: struct.pack("<QQ", o + 16, o + 26) + b"small one\0a text\0")
        self.section(data, 0x20, "IdNames", self.id_names)
        self.section(data, 0x30, "Metrics", self.metrics)
        texts = MODULES + [f for f, _ in FILES] + [f[0] for f in FUNCTIONS] + ["main thread"]
        strings, table = bytearray(), {}
        for text in texts:
            table[text] = len(strings)
            strings.extend(text.encode() + b"\0")
        base = self.section(data, 0x50, "Strings", lambda o: strings, 1)
        where = {text: base + off for text, off in table.items()}
        self.where = where
        self.modules = self.table(data, 0x60, "Modules", 16, [struct.pack("<IIQ", 0, 0, where[m]) for m in MODULES])
        data.extend(b"\0" * self.gap)
        self.files = self.table(data, 0x70, "Files", 16, [struct.pack("<IIQ", flags, 0, where[f]) for f, flags in FILES])
        rows = [struct.pack("<QQQQII", where[n], self.modules[m], off, self.files[f], line, 0) for n, m, off, f, line in FUNCTIONS]
        self.functions = self.table(data, 0x80, "Functions", 40, rows)
        self.section(data, 0x40, "Context", self.contexts)
        data.extend(b"_meta.db")
        self.parts["meta.db"] = data

    def id_names(self, o):
        body = bytearray(struct.pack("<QB", 0, len(KINDS)))
        names = []
        for kind in KINDS:
            names.append(o + len(body))
            body.extend(kind.encode() + b"\0")
        body.extend(b"\0" * (-(o + len(body)) % 8))
        struct.pack_into("<Q", body, 0, o + len(body))
        self.label("meta.db", "kinds", o + len(body))
        body.extend(struct.pack("<%dQ" % len(names), *names))
        return body

    def metrics(self, o):
        body = bytearray(0x1b)
        put = lambda text: (o + len(body), body.extend(text.encode() + b"\0"))[0]
        scope_names = [put(name) for name, _, _ in SCOPES]
        formulas = [put(formula) for formula, _ in STATS]
        names = [put(name) for name in METRICS]
        body.extend(b"\0" * (-(o + len(body)) % 8))
        scopes = o + len(body)
        for (_, kind, index), name in zip(SCOPES, scope_names):
            body.extend(struct.pack("<QBB6x", name, kind, index))
        rows = bytearray()
        for m in range(len(METRICS)):
            insts = o + len(body)
            self.label("meta.db", f"inst{m}", insts)
            for scope in range(len(SCOPES)):
                body.extend(struct.pack("<QH6x", scopes + 16 * scope, BASE * m + scope))
            sums = o + len(body)
            self.label("meta.db", f"summary{m}", sums)
            for stat, (_, combine) in enumerate(STATS):
                for scope in range(len(SCOPES)):
                    body.extend(struct.pack("<QQBxH4x", scopes + 16 * scope, formulas[stat], combine, BASE * m + len(SCOPES) * stat + scope))
            rows.extend(struct.pack("<QQQHH4x", names[m], insts, sums, len(SCOPES), len(SCOPES) * len(STATS)))
        metrics = o + len(body)
        body.extend(rows)
        struct.pack_into("<QIBBBxQHB", body, 0, metrics, len(METRICS), 32, 16, 24, scopes, len(SCOPES), 16)
        for name, off in (("scope", scopes), ("metric", metrics), ("formula", formulas[0])):
            self.label("meta.db", name, off)
        return body

    def table(self, data, header_at, name, size, rows):
        start = self.section(data, header_at, name, lambda o: struct.pack("<QIH2x", o + 16, len(rows), size) + b"".join(rows))
        return [start + 16 + size * i for i in range(len(rows))]

    def contexts(self, o):
        body = bytearray(struct.pack("<QHB5x", 0, 1, 32))
        children = {}
        for ctx, node in self.tree.items():
            children.setdefault(node[0], []).append(ctx)
        order = [1]
        for ctx in order:
            order.extend(children.get(ctx, []))
        placed = {}
        for ctx in reversed(order):  # children before their parents
            start = o + len(body)
            for kid in children.get(ctx, []):
                self.label("meta.db", f"ctx{kid}", o + len(body))
                body.extend(self.context(kid, *placed[kid]))
            placed[ctx] = (o + len(body) - start, start)
        self.label("meta.db", "entry", o + len(body))
        struct.pack_into("<Q", body, 0, o + len(body))
        body.extend(struct.pack("<QQIHxxQ", *placed[1], 1, MAIN_THREAD, self.where["main thread"]))
        return body

    def context(self, ctx, size, at):
        _, relation, lexical, function, source, point = self.tree[ctx]
        flags, flex = 0, b""
        if function is not None:
            flags, flex = 1, struct.pack("<Q", self.functions[function])
        if source:
            flags, flex = flags | 2, flex + struct.pack("<QII", self.files[source[0]], source[1], 0)
        if point:
            flags, flex = flags | 4, flex + struct.pack("<QQ", self.modules[point[0]], point[1])
        return struct.pack("<QQIBBBBH6x", size, at, ctx, flags, relation, lexical, len(flex) // 8, int(relation == NESTED)) + flex

    # ---- values ----

    def block(self, data, number, rows):
        """rows: (ctxId, metric id, value), sorted."""
        values = len(data)
        index, last = [], None
        for i, (ctx, metric, value) in enumerate(rows):
            if ctx != last:
                index.append((ctx, i))
            last = ctx
            data.extend(struct.pack("<Hd", metric, value))
        align(data, 4)
        ctxs = len(data)
        for row in index:
            data.extend(struct.pack("<IQ", *row))
        self.label("profile.db", f"values{number}", values)
        self.label("profile.db", f"ctxs{number}", ctxs)
        return len(rows), values, len(index), ctxs

    def profile(self):
        data = bytearray(b"HPCTOOLKITprof\4\0" + b"\0" * 0x20 + struct.pack("<QIB3x", 0x40, 3, 48) + b"\0" * (3 * 48))
        struct.pack_into("<QQ", data, 0x10, 16 + 3 * 48, 0x30)
        tuples = len(data)
        for thread in (0, 1):
            data.extend(struct.pack("<H6x", 2) + struct.pack("<BxHIQ", 1, 1, 0, 0xa8c00001) + struct.pack("<BxHIQ", 3, 0, thread, thread))
        struct.pack_into("<QQ", data, 0x20, len(data) - tuples, tuples)
        infos = {}
        for p in (1, 2):
            infos[p] = self.block(data, p, [(c, BASE * m + s, v) for (q, c, m, s), v in self.values.items() if q == p])
        infos[0] = self.block(data, 0, [(c, m, v) for (c, m), v in sorted(self.summary.items())])
        for p, (n, values, ctxs, index) in infos.items():
            struct.pack_into("<QQIxxxxQQI", data, 0x40 + 48 * p, n, values, ctxs, index, tuples + 40 * (p - 1) if p else 0, int(p == 0))
            self.label("profile.db", f"profile{p}", 0x40 + 48 * p)
        self.label("profile.db", "ProfileInfos", 0x30)
        self.label("profile.db", "tuples", tuples)
        data.extend(b"_prof.db")
        self.parts["profile.db"] = data

    def cct(self):
        data = bytearray(b"HPCTOOLKITctxt\4\0" + b"\0" * 0x20 + struct.pack("<QIB3x", 0x40, self.ctx_count, 32) + b"\0" * (32 * self.ctx_count))
        struct.pack_into("<QQ", data, 0x10, len(data) - 0x30, 0x30)
        for ctx in range(self.ctx_count):
            rows = sorted((BASE * m + s, p, v) for (p, c, m, s), v in self.values.items() if c == ctx)
            values, index, last = len(data), [], None
            for i, (metric, profile, value) in enumerate(rows):
                if metric != last:
                    index.append((metric, i))
                last = metric
                data.extend(struct.pack("<Id", profile, value))
            metrics = len(data)
            for row in index:
                data.extend(struct.pack("<HQ", *row))
            align(data, 4)
            struct.pack_into("<QQHxxxxxxQ", data, 0x40 + 32 * ctx, len(rows), values, len(index), metrics)
            for name, off in (("ci", 0x40 + 32 * ctx), ("cvalues", values), ("cmetrics", metrics)):
                self.label("cct.db", f"{name}{ctx}", off)
        self.label("cct.db", "CtxInfos", 0x30)
        data.extend(b"__ctx.db")
        self.parts["cct.db"] = data

    def trace(self):
        lines = [(1, [(1000, 6), (2000, 0), (3000, 9)]), (2, [(1500, 3), (2500, 6)])]
        data = bytearray(b"HPCTOOLKITtrce\4\0" + b"\0" * 0x10 + struct.pack("<QIB3xQQ", 0x40, len(lines), 24, 1000, 3000) + b"\0" * (24 * len(lines)))
        struct.pack_into("<QQ", data, 0x10, len(data) - 0x20, 0x20)
        for i, (profile, samples) in enumerate(lines):
            align(data, 8)
            start = len(data)
            for sample in samples:
                data.extend(struct.pack("<QI", *sample))
            struct.pack_into("<IxxxxQQ", data, 0x40 + 24 * i, profile, start, len(data))
            self.label("trace.db", f"trace{i}", 0x40 + 24 * i)
            self.label("trace.db", f"samples{i}", start)
        self.label("trace.db", "CtxTraces", 0x20)
        align(data, 8)
        data.extend(b"trace.db")
        self.parts["trace.db"] = data

    # ---- out ----

    def put(self, label, plus, fmt, *values):
        """Overwrites a field; its place."""
        file, off = self.at[label]
        struct.pack_into("<" + fmt, self.parts[file], off + plus, *values)
        return file, off + plus

    def get(self, label, plus, fmt):
        file, off = self.at[label]
        return struct.unpack_from("<" + fmt, self.parts[file], off + plus)[0]

    def write(self, folder):
        folder = Path(folder)
        (folder / "metrics").mkdir(parents=True, exist_ok=True)
        if self.yaml is not None:
            (folder / "metrics" / "default.yaml").write_text(self.yaml)
        for name, data in self.parts.items():
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    Database().write(sys.argv[1])
