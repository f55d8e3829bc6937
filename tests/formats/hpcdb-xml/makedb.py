"""Small databases as HPCToolkit wrote them before 2022, put together from docs/formats/hpcdb-xml.md.

Two threads, one metric; a loop, inlined code and a call. What the threads spent stands in OWN; everything else follows from it:

    dense()    2.2: summary in the document, a matrix and a trace for each thread
    merged()   the same with both kinds of files merged, as hpcviewer left them
    sparse()   4.0: the document without values, profile.db, cct.db, trace.db

makedb.py FOLDER   writes the three there
"""
import struct
import sys
from pathlib import Path

XML = "experiment.xml"
MATRIX = ["1.app-000000-%03d-0a0b0c0d-77-0.metric-db" % t for t in (0, 1)]
TRACE = ["app-000000-%03d-0a0b0c0d-77-0.hpctrace" % t for t in (0, 1)]
MARK = struct.pack(">Q", 0xFFFFFFFFDEADF00D)
START = 1600000000000000000

# id of a statement -> cost of each thread
OWN = {5: (1, 2), 7: (10, 20), 10: (100, 200), 13: (1000, 2000)}
# id -> (element, its parent's id, attributes); in the order of the document
NODES = {
    2: ("PF", 1, 's="30" l="0" lm="1" f="10" n="30"'),
    3: ("C", 2, 's="31" l="0"'),
    4: ("PF", 3, 's="32" l="10" lm="1" f="11" n="32"'),
    5: ("S", 4, 's="33" l="11" it="105"'),
    6: ("L", 4, 's="34" l="12" f="11"'),
    7: ("S", 6, 's="35" l="13" it="107"'),
    8: ("Pr", 6, 's="36" l="14" lm="1" f="11" n="36" a="1"'),
    9: ("Pr", 8, 's="37" l="3" lm="1" f="12" n="37" a="1"'),
    10: ("S", 9, 's="38" l="4" it="110"'),
    11: ("C", 4, 's="39" l="15" v="0x1020"'),
    12: ("PF", 11, 's="40" l="20" lm="2" f="13" n="40"'),
    13: ("S", 12, 's="41" l="21" it="113"'),
}
TABLES = """<LoadModuleTable>
<LoadModule i="1" n="/opt/app"/>
<LoadModule i="2" n="/opt/lib.so"/>
</LoadModuleTable>
<FileTable>
<File i="10" n="&lt;unknown file&gt;"/>
<File i="11" n="./src/opt/app.c"/>
<File i="12" n="/opt/inl.h"/>
<File i="13" n="/opt/lib.c"/>
</FileTable>
<ProcedureTable>
<Procedure i="30" n="&lt;program root&gt;" f="1"/>
<Procedure i="32" n="main"/>
<Procedure i="36" n=""/>
<Procedure i="37" n="inl"/>
<Procedure i="40" n="leaf"/>
</ProcedureTable>
<Info/>
</SecHeader>
"""
METRICS = """<MetricTable>
<Metric i="0" n="TIME (usec):Sum (I)" o="0" v="derived-incr" t="inclusive" partner="1" show="1">
<MetricFormula t="combine" frm="sum($0, $0)"/>
<Info><NV n="units" v="events"/></Info>
</Metric>
<Metric i="1" n="TIME (usec):Sum (E)" o="1" v="derived-incr" t="exclusive" partner="0" show="1">
<Info><NV n="units" v="events"/></Info>
</Metric>
<Metric i="2" n="TIME (usec):Mean (I)" o="2" v="derived-incr" t="inclusive" show="0">
<MetricFormula t="finalize" frm="$0 / 2"/>
</Metric>
</MetricTable>
<MetricDBTable>
<MetricDB i="0" n="TIME (usec) (I)" t="inclusive" partner="1" db-glob="*.metric-db" db-id="0" db-num-metrics="2" db-header-sz="24"/>
<MetricDB i="1" n="TIME (usec) (E)" t="exclusive" partner="0" db-glob="*.metric-db" db-id="1" db-num-metrics="2" db-header-sz="24"/>
</MetricDBTable>
<TraceDBTable>
<TraceDB i="0" u="1000000000" db-glob="*.hpctrace" db-min-time="%d" db-max-time="%d" db-header-sz="32"/>
</TraceDBTable>
""" % (START, START + 900)
SPARSE_METRICS = """<IdentifierNameTable>
<Identifier i="0" n="SUMMARY"/>
<Identifier i="2" n="RANK"/>
<Identifier i="3" n="THREAD"/>
</IdentifierNameTable>
<MetricTable>
<Metric i="512" n="TIME (usec):PARTIAL:0 (I)" v="derived-incr" t="inclusive" partner="256" show="4"/>
<Metric i="256" n="TIME (usec):PARTIAL:0 (E)" v="derived-incr" t="exclusive" partner="512" show="4"/>
<Metric i="767" n="TIME (usec):Sum (I)" v="derived-incr" t="inclusive" partner="511" show="1">
<MetricFormula t="view" frm="$512"/>
</Metric>
<Metric i="511" n="TIME (usec):Sum (E)" v="derived-incr" t="exclusive" partner="767" show="1">
<MetricFormula t="view" frm="$256"/>
</Metric>
</MetricTable>
<MetricDBTable>
<MetricDB i="2" n="TIME (usec) (I)"/>
<MetricDB i="1" n="TIME (usec) (E)"/>
</MetricDBTable>
"""


def below(node):
    """The node and all that is in it."""
    return {node}.union(*(below(k) for k, (_, up, _) in NODES.items() if up == node))


def total(node, thread):
    return sum(OWN[n][thread] for n in below(node) if n in OWN)


def function_of(node):
    """The nearest function with a name."""
    while node > 1 and (NODES[node][0] not in ("PF", "Pr") or node == 8):
        node = NODES[node][1]
    return node


def function_own(node, thread):
    """What a function node spent itself; a statement its own."""
    if node in OWN:
        return OWN[node][thread]
    return sum(cost[thread] for n, cost in OWN.items() if function_of(n) == node) if function_of(node) == node else 0


class Database:
    def __init__(self):
        self.parts = {}

    def write(self, folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, data in self.parts.items():
            (Path(folder) / name).write_bytes(bytes(data))

    def replace(self, old, new, name=XML):
        """Replaces the first occurrence; gives its offset."""
        data = bytes(self.parts[name])
        old, new = (x.encode() if isinstance(x, str) else x for x in (old, new))
        at = data.index(old)
        self.parts[name] = bytearray(data[:at] + new + data[at + len(old):])
        return at

    def put(self, name, at, data):
        self.parts[name][at:at + len(data)] = data


def document(version, metrics, value):
    """`value`: text of the values of a node (1 = the whole)."""
    def elements(parent):
        for node, (tag, up, attributes) in NODES.items():
            if up == parent:
                yield f'<{tag} i="{node}" {attributes}>\n{value(node)}'
                yield from elements(node)
                yield f"</{tag}>\n"

    return (f'<?xml version="1.0"?>\n<HPCToolkitExperiment version="{version}">\n<Header n="app">\n<Info/>\n</Header>\n<SecCallPathProfile i="0" n="app">\n<SecHeader>\n'
            f'{metrics}{TABLES}<SecCallPathProfileData>\n{value(1)}{"".join(elements(1))}</SecCallPathProfileData>\n</SecCallPathProfile>\n</HPCToolkitExperiment>\n').encode()


def dense_values(node):
    inclusive = sum(total(node, t) for t in (0, 1))
    text = f'<M n="0" v="{inclusive}"/>' if inclusive else ""
    own = sum(OWN.get(node, (0, 0)))
    return f'{text}<M n="1" v="{own}"/>\n' if own else text + "\n" if text else ""


def matrix(thread):
    rows = [(total(n, thread), OWN.get(n, (0, 0))[thread]) for n in range(1, 14)]
    return bytearray(b"HPCPROF-metricdb__00.10b" + struct.pack(">II", len(rows), 2) + b"".join(struct.pack(">dd", *r) for r in rows))


def trace(thread):
    samples = [(START + 100 * k + thread, it) for k, it in enumerate((105, 107, 110, 113))]
    return bytearray(b"HPCRUN-trace______01.01b" + bytes(8) + b"".join(struct.pack(">QI", *s) for s in samples))


def dense():
    db = Database()
    db.parts[XML] = bytearray(document("2.2", METRICS, dense_values))
    for t in (0, 1):
        db.parts[MATRIX[t]] = matrix(t)
        db.parts[TRACE[t]] = trace(t)
    return db


def merge(files):
    at, index = 8 + 16 * len(files), b""
    for t, data in enumerate(files):
        index += struct.pack(">iiq", 0, t, at)
        at += len(data)
    return bytearray(struct.pack(">ii", 2, len(files)) + index + b"".join(bytes(f) for f in files) + MARK)


def merged():
    db = dense()
    db.parts["experiment-1.mdb"] = merge([db.parts.pop(n) for n in MATRIX])
    db.parts["experiment.mt"] = merge([db.parts.pop(n) for n in TRACE])
    return db


def block(own, inclusive, threads):
    """Values and contexts of a profile: (metric ids of own and inclusive cost, threads that it sums)."""
    values = ctxs = b""
    count = contexts = 0
    for node in [0] + sorted(NODES):
        cells = [(sum(total(node or 1, t) for t in threads), inclusive), (sum(function_own(node, t) for t in threads) if node else 0, own)]
        cells = [c for c in cells if c[0]]
        if cells:
            ctxs += struct.pack(">IQ", node, count)
            values += b"".join(struct.pack(">dH", *c) for c in cells)
            count += len(cells)
            contexts += 1
    return values + ctxs + struct.pack(">IQ", 0x656E6421, count), count, contexts


def head(magic, count, at):
    return (magic + bytes([1, 0]) + struct.pack(">IHQQ", count, 1, 0, at)).ljust(128, b"\0")


def sparse():
    db = Database()
    db.parts[XML] = bytearray(document("4.0", SPARSE_METRICS, lambda node: ""))
    profiles = [block(256, 512, (0, 1)), block(1, 2, (0,)), block(1, 2, (1,))]
    tuples = [b"", struct.pack(">HHQQHQQ", 2, 0xC002, 0, 0, 3, 0, 0), struct.pack(">HHQQHQQ", 2, 0xC002, 0, 0, 3, 1, 1)]
    at = 128 + 52 * 3
    infos = body = b""
    for (data, values, contexts), ids in zip(profiles, tuples):
        infos += struct.pack(">QQQQQIQ", at if ids else 0, 0, 0, 0, values, contexts, at + len(ids))
        body += ids + data
        at += len(ids) + len(data)
    db.parts["profile.db"] = bytearray(head(b"HPCPROF-profdb__", 3, 128) + infos + body + b"tfBDFORP")
    db.parts["cct.db"] = bytearray(head(b"HPCPROF-cctdb___", 0, 128))
    samples = [b"".join(struct.pack(">QI", START + 100 * k + t, ctx) for k, ctx in enumerate((5, 7, 10, 13))) for t in (0, 1)]
    infos = b"".join(struct.pack(">IHQQ", t + 1, 0, 172 + 48 * t, 220 + 48 * t) for t in (0, 1))
    db.parts["trace.db"] = bytearray(head(b"HPCPROF-tracedb_", 2, 128) + infos + b"".join(samples))
    return db


if __name__ == "__main__":
    for make in (dense, merged, sparse):
        make().write(Path(sys.argv[1]) / make.__name__)
