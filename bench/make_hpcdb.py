#!/usr/bin/env python3
"""Makes large HPCToolkit databases for the bench: the same options give the same bytes on every machine, and every sum is right.

  make_hpcdb.py DIR --values 10000000 --contexts 12000 --metrics 3 --seed 1

  make_hpcdb.py --list-defects
  make_hpcdb.py DIR --defect H104[:N]

With --defect a small database with one thing wrong (the N-th way, from 1): prints the rule and the place that `assay check --deep` must name.

Prints what a reader must find, as JSON: counts and the total of each metric. Memory grows with contexts times metrics and with profiles, not with
values: a thread is one template times a small whole number, and blocks are written one by one.
"""
import argparse
import array
import json
import os
import random
import struct
import sys

KINDS = ["SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"]
SCOPES = [("point", 1, 255), ("function", 3, 0), ("lex_aware", 0, 255), ("execution", 2, 255)]
FUNCTION, LOOP, LINE, INSTRUCTION, ENTRY = range(5)
NAMES = ["cycles", "CPUTIME (sec)", "instructions", "misses"]
FACTORS = 7


class Tree:
    """Contexts 1.. in the order of the tree, the entry first; hidden instructions last. `id` is what the files call them."""

    def __init__(self, options, draw):
        count = options.contexts
        self.parent, self.kind = [0, 0], [ENTRY, ENTRY]
        for n in range(2, count + 1):
            above = max(1, n - 1 - int(draw() ** 3 * min(n - 1, 400)))
            while self.kind[above] == INSTRUCTION:
                above -= 1
            self.parent.append(above)
            kind = self.kind[above]
            self.kind.append(FUNCTION if kind in (ENTRY, LINE) else LINE if kind == LOOP or draw() < 0.8 else LOOP)
        self.visible = count
        for n in range(2, count + 1):
            if self.kind[n] == LINE and draw() < 0.3:
                self.parent.append(n)
                self.kind.append(INSTRUCTION)
        self.count = len(self.parent) - 1
        self.id = list(range(self.count + 1))
        for n in range(self.count, 1, -1):  # numbers jump about in real databases too
            other = 1 + int(draw() * n)
            self.id[n], self.id[other] = self.id[other], self.id[n]
        self.children = {}
        for n in range(1, self.visible + 1):
            self.children.setdefault(self.parent[n], []).append(n)


def template(tree, metrics, draw):
    """rows[ctxId] = [(metric id, cost)] of a thread whose factor is 1; whole numbers."""
    rows = [[] for _ in range(tree.count + 1)]
    for metric in range(metrics):
        point = [0] * (tree.count + 1)
        for n in range(2, tree.count + 1):
            if tree.kind[n] == INSTRUCTION or tree.kind[n] == LINE and draw() < 0.5:
                point[n] = 1 + int(draw() * 1000)
        function, execution = point[:], point[:]
        for n in range(tree.count, 0, -1):
            parent = tree.parent[n]
            execution[parent] += execution[n]
            if tree.kind[n] != FUNCTION and tree.kind[n] != ENTRY:
                function[parent] += function[n]
        function[0] = 0
        for n in range(tree.count + 1):
            for scope, value in enumerate((point[n], function[n], function[n], execution[n])):
                if value:
                    rows[tree.id[n]].append((4 * metric + scope, float(value)))
    return rows


def interleave(count, *columns):
    """Records out of columns (bytes, width)."""
    width = sum(w for _, w in columns)
    out, at = bytearray(count * width), 0
    for data, w in columns:
        for k in range(w):
            out[at + k::width] = data[k::w]
        at += w
    return out


def little(kind, items):
    a = array.array(kind, items)
    if sys.byteorder == "big":
        a.byteswap()
    return a.tobytes()


# ---- meta.db ----


class Meta:
    def __init__(self, tree, metrics, functions):
        self.tree, self.data = tree, bytearray(b"HPCTOOLKITmeta\4\0" + b"\0" * 0x80)
        self.section(0x10, lambda o: struct.pack("<QQ", o + 16, o + 22) + b"bench\0made for the bench\0")
        self.section(0x20, self.kinds)
        self.section(0x30, lambda o: self.metrics(o, metrics))
        names = [b"/opt/app/bin/app\0"] + [b"/opt/app/src/unit%05d.c\0" % i for i in range(functions // 8 + 1)]
        names += [b"main thread\0"] + [b"function_%06d\0" % i for i in range(functions)]
        base = self.section(0x50, lambda o: b"".join(names))
        where = [base]
        for name in names:
            where.append(where[-1] + len(name))
        files = functions // 8 + 1
        self.entry_name = where[1 + files]
        self.module = self.table(0x60, 16, [struct.pack("<IIQ", 0, 0, where[0])])
        self.file = self.table(0x70, 16, [struct.pack("<IIQ", 0, 0, where[1 + i]) for i in range(files)])
        self.functions = functions
        self.function = self.table(0x80, 40, [struct.pack("<QQQQII", where[2 + files + i], self.module, 64 * i, self.file + 16 * (i // 8), 10 + i % 8 * 100, 0)
                                              for i in range(functions)])
        self.section(0x40, self.contexts)
        self.data.extend(b"_meta.db")

    def section(self, header_at, body):
        self.data.extend(b"\0" * (-len(self.data) % 8))
        start = len(self.data)
        self.data.extend(body(start))
        struct.pack_into("<QQ", self.data, header_at, len(self.data) - start, start)
        return start

    def table(self, header_at, size, rows):
        return 16 + self.section(header_at, lambda o: struct.pack("<QIH2x", o + 16, len(rows), size) + b"".join(rows))

    def kinds(self, o):
        texts, where = b"", []
        for kind in KINDS:
            where.append(o + 16 + 8 * len(KINDS) + len(texts))
            texts += kind.encode() + b"\0"
        return struct.pack("<QB7x", o + 16, len(KINDS)) + struct.pack("<%dQ" % len(KINDS), *where) + texts

    def metrics(self, o, count):
        body = bytearray(0x20)
        names = [name for name, _, _ in SCOPES] + ["$$"] + [NAMES[i] if i < len(NAMES) else "event%d" % i for i in range(count)]
        where = []
        for name in names:
            where.append(o + len(body))
            body.extend(name.encode() + b"\0")
        body.extend(b"\0" * (-len(body) % 8))
        scopes = o + len(body)
        for i, (_, kind, index) in enumerate(SCOPES):
            body.extend(struct.pack("<QBB6x", where[i], kind, index))
        rows = bytearray()
        for m in range(count):
            at = o + len(body)
            for s in range(4):
                body.extend(struct.pack("<QH6x", scopes + 16 * s, 4 * m + s))
            for s in range(4):
                body.extend(struct.pack("<QQBxH4x", scopes + 16 * s, where[4], 0, 4 * m + s))
            rows.extend(struct.pack("<QQQHH4x", where[5 + m], at, at + 64, 4, 4))
        struct.pack_into("<QIBBBxQHB", body, 0, o + len(body), count, 32, 16, 24, scopes, 4, 16)
        return body + rows

    def contexts(self, o):
        tree, body, placed = self.tree, bytearray(16), {}
        for n in range(tree.visible, 0, -1):  # children have larger numbers, so they are placed already
            start = len(body)
            for kid in tree.children.get(n, ()):
                size, at = placed.pop(kid)
                relation = 1 if tree.kind[kid] == FUNCTION else 0
                if relation:
                    words, flex = 1, struct.pack("<Q", self.function + 40 * (kid * 7919 % self.functions))
                else:
                    words, flex = 2, struct.pack("<QQ", self.file, 1 + kid % 900)
                body.extend(struct.pack("<QQIBBBBH6x", size, at, tree.id[kid], 1 if relation else 2, relation, tree.kind[kid], words, 1 - relation) + flex)
            placed[n] = (len(body) - start, o + start)
        struct.pack_into("<QHB", body, 0, o + len(body), 1, 32)
        return body + struct.pack("<QQIHxxQ", *placed[1], tree.id[1], 1, self.entry_name)


# ---- values ----


def write_profiles(path, rows, factors):
    """profile.db; the blocks of equal factors are equal, so there are few to make."""
    metrics = little("H", [m for row in rows for m, _ in row])
    costs = [v for row in rows for _, v in row]
    ids = [ctx for ctx, row in enumerate(rows) if row]
    starts, total = [], 0
    for ctx in ids:
        starts.append(total)
        total += len(rows[ctx])
    index = interleave(len(ids), (little("I", ids), 4), (little("Q", starts), 8))
    made = {}

    def block(factor):
        if factor not in made:
            made[factor] = interleave(total, (metrics, 2), (little("d", [v * factor for v in costs]), 8)) + b"\0" * (-10 * total % 4) + index
        return made[factor]

    count, pad = len(factors) + 1, -10 * total % 4
    tuples = 0x40 + 48 * count
    at = tuples + 40 * len(factors)
    step = 10 * total + pad + len(index)
    infos = [struct.pack("<QQI4xQQI4x", total, at + step * len(factors), len(ids), at + step * len(factors) + 10 * total + pad, 0, 1)]
    infos += [struct.pack("<QQI4xQQI4x", total, at + step * p, len(ids), at + step * p + 10 * total + pad, tuples + 40 * p, 0) for p in range(len(factors))]
    with open(path, "wb") as f:
        f.write(b"HPCTOOLKITprof\4\0" + struct.pack("<QQQQ", 16 + 48 * count, 0x30, 40 * len(factors), tuples) + struct.pack("<QIB3x", 0x40, count, 48))
        f.write(b"".join(infos))
        for p in range(len(factors)):
            f.write(struct.pack("<H6x", 2) + struct.pack("<BxHIQ", 2, 0, p // 64, p // 64) + struct.pack("<BxHIQ", 3, 0, p % 64, p % 64))
        for factor in factors:
            f.write(block(factor))
        f.write(block(sum(factors)) + b"_prof.db")
    return total


def write_contexts(path, rows, factors):
    count, profiles = len(rows), len(factors)
    numbers = little("I", range(1, profiles + 1))
    at = 0x40 + 32 * count
    infos = []
    for row in rows:
        size = 12 * profiles * len(row) + 10 * len(row)
        infos.append(struct.pack("<QQH6xQ", profiles * len(row), at, len(row), at + 12 * profiles * len(row)))
        at += size + -size % 4
    with open(path, "wb") as f:
        f.write(b"HPCTOOLKITctxt\4\0" + struct.pack("<QQ", 16 + 32 * count, 0x30) + b"\0" * 16 + struct.pack("<QIB3x", 0x40, count, 32) + b"".join(infos))
        for row in rows:
            for _, value in row:
                f.write(interleave(profiles, (numbers, 4), (little("d", [value * factor for factor in factors]), 8)))
            f.write(b"".join(struct.pack("<HQ", metric, profiles * i) for i, (metric, _) in enumerate(row)))
            f.write(b"\0" * (-10 * len(row) % 4))
        f.write(b"__ctx.db")


def planted_defects():
    """The defects, as the tests of the rules have them: [(rule, severity, database, place)]."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "formats", "hpcdb"))
    import rules  # pylint: disable=import-outside-toplevel
    return rules.planted()


def list_defects():
    ways = {}
    for rule, severity, _, _ in planted_defects():
        ways.setdefault((rule, severity), []).append(rule)
    for rule, severity in sorted(ways):
        print(f"{rule} {severity} {len(ways[rule, severity])}")
    return 0


def write_defect(folder, name):
    wanted, _, way = name.partition(":")
    found = [d for d in planted_defects() if d[0] == wanted]
    if not found or not 1 <= int(way or 1) <= len(found):
        print(f"make_hpcdb.py: no defect {name}; --list-defects names them", file=sys.stderr)
        return 2
    rule, severity, database, place = found[int(way or 1) - 1]
    database.write(folder)
    file, at = place if isinstance(place, tuple) else (place, None)
    where = {} if at is None else {"line": at[1]} if isinstance(at, tuple) else {"offset": at}
    print(json.dumps({"rule": rule, "severity": severity, "file": file, **where}))
    return 0


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--defect", metavar="RULE[:N]", help="a small database with this wrong in it, the N-th way")
    parser.add_argument("--list-defects", action="store_true", help="rules that can be planted, with their severity and the number of ways")
    parser.add_argument("--values", type=int, default=10000000, help="of all threads, about")
    parser.add_argument("--contexts", type=int, default=12000, help="in the tree")
    parser.add_argument("--metrics", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    if options.list_defects:
        return list_defects()
    if not options.folder:
        parser.error("the folder to write is missing")
    if options.defect:
        return write_defect(options.folder, options.defect)
    draw = random.Random(options.seed).random
    tree = Tree(options, draw)
    rows = template(tree, options.metrics, draw)
    each = sum(map(len, rows))
    factors = [1 + int(draw() * FACTORS) for _ in range(max(1, options.values // each))]
    os.makedirs(os.path.join(options.folder, "metrics"), exist_ok=True)
    with open(os.path.join(options.folder, "metrics", "default.yaml"), "w", encoding="ascii") as f:
        f.write("version: 0\n")
    functions = max(4, min(4000, options.contexts // 5))
    with open(os.path.join(options.folder, "meta.db"), "wb") as f:
        f.write(Meta(tree, options.metrics, functions).data)
    write_profiles(os.path.join(options.folder, "profile.db"), rows, factors)
    write_contexts(os.path.join(options.folder, "cct.db"), rows, factors)
    totals = [dict(rows[0]).get(4 * m + 3, 0) * sum(factors) for m in range(options.metrics)]
    print(json.dumps({"counts": {"contexts": tree.visible, "hidden": tree.count - tree.visible, "profiles": len(factors) + 1, "functions": functions,
                                 "values": each * len(factors), "summary_values": each, "cct_values": each * len(factors)}, "totals": totals}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
