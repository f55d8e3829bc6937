#!/usr/bin/env python3
"""What `convert --to parquet` writes, read by parquet_reader.py: the rows of the tables, nulls and smallest and largest values of each row group, meanings, partitions, losses."""
import json
import math
import shutil
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]
from parquet_reader import DICTIONARY, PLAIN, ZSTD, Table  # noqa: E402
from support import FIXTURES, SKIP, Tally, assay  # noqa: E402

FIXTURE_NAMES = ["demo.callgrind", "demo.xdebug", "demo.nytprof", "demo.info", "demo.folded", "demo.assay.json", "app.m", "demo.speedscope.json", "demo.pprof"]
# a check finds more than reading does, metrics say in which shapes they were read, and pairs are only made for who asks for them
NOT_COMPARED = {"docs", "finding", "flame", "metric", "pair", "stream_top", "subtree"}  # flame and subtree are functions


def ask(path, sql):
    r = assay("query", "--exact", "--format", "json", path, sql)
    assert r.returncode == 0, (path, sql, r)
    return [tuple(row.values()) for row in json.loads(r.stdout.decode("utf-8", "surrogatepass"))["rows"]]


def ask_many(path, statements):
    r = assay("query", "--exact", "--format", "json", path, ";".join(statements))
    assert r.returncode == 0, (path, r)
    text, decoder, out = r.stdout.decode("utf-8", "surrogatepass").strip(), json.JSONDecoder(), []
    while text:
        found, end = decoder.raw_decode(text)
        out.append([tuple(row.values()) for row in found["rows"]])
        text = text[end:].lstrip()
    return out


def shown(v):
    """A cell of SQL as Parquet has it: bytes that are not UTF-8 (lone surrogates in JSON) as \\xNN, integers with all digits."""
    if isinstance(v, str):
        return "".join(f"\\x{ord(c) - 0xDC00:02x}" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in v)
    return v


def same(got, want, is_double):
    if want is None or got is None:
        return want is got
    if isinstance(got, str):
        return got == shown(want)
    want = int(want) if isinstance(want, str) else want
    return got == (float(want) if is_double else want)


def check_chunks(tally, table, label):
    for name, (nulls, least, most), values, seen in table.chunks:
        real = [v for v in values if v is not None and not (isinstance(v, float) and math.isnan(v))]
        fine = nulls == values.count(None)
        if least is not None:
            key = (lambda v: v.encode()) if isinstance(least, str) else (lambda v: v)
            fine &= bool(real) and least == min(real, key=key) and most == max(real, key=key)
        else:
            fine &= not real or any(isinstance(v, str) and len(v.encode()) > 64 for v in (min(real, key=str.encode), max(real, key=str.encode)))
        tally.check(fine, f"{label}.{name}: statistics", nulls, least, most, seen)


def check_file(tally, table, name, rows, said, label):
    columns = list(table.columns)
    if name == "profile":
        rows = [(r[0], "", "", *r[3:]) for r in rows]  # a conversion has no name of its input
    got = list(zip(*table.columns.values()))
    order = (lambda r: tuple(map(str, r))) if name == "spread" else (lambda r: 0)
    pairs = list(zip(sorted(got, key=order), sorted(rows, key=order)))
    differ = [(a, b) for a, b in pairs if not all(same(x, y, table.types[c][0] == 5) for x, y, c in zip(a, b, columns))]
    tally.check(len(got) == len(rows) and not differ, f"{label}: {name} has the rows of the query", len(got), len(rows), *differ[:3])
    tally.equal(table.meanings, said, f"{label}: {name} says what it means")
    check_chunks(tally, table, f"{label}: {name}")


def fixtures(tally, folder):
    docs = {}
    for name, column, meaning in ask(FIXTURES / "demo.callgrind", "select table_name, column_name, meaning from docs"):
        if column != "stack":
            docs.setdefault(name, {})["column." + column if column else "table"] = meaning
    for fixture in FIXTURE_NAMES:
        path, out, again = FIXTURES / fixture, folder / "out", folder / "again"
        r = assay("convert", path, "--to", "parquet", "-o", out)
        tally.check(r.returncode == 0, f"{fixture}: becomes tables", r.stderr)
        assay("convert", path, "--to", "parquet", "-o", again)
        files = {f.name.removesuffix(".parquet"): f for f in sorted(out.iterdir())}
        tally.equal([(f.name, f.read_bytes()) for f in sorted(again.iterdir())], [(f.name, f.read_bytes()) for f in files.values()], f"{fixture}: the same bytes twice")
        names = [name for name in docs if name not in NOT_COMPARED]
        all_of_it = "select 1 from node, value, cost, call, line_cost, event, cov_line, label limit 0"  # else what is read first has ids of its own
        _, *asked = ask_many(path, [all_of_it] + ["select " + ", ".join(c.removeprefix("column.") for c in docs[n] if c != "table") + f" from {n}" for n in names])
        tally.equal(set(files) - NOT_COMPARED, {n for n, rows in zip(names, asked) if rows}, f"{fixture}: a file for each table that has rows")
        for name, rows in zip(names, asked):
            if name in files:
                check_file(tally, Table(files[name]), name, rows, docs[name], fixture)
        shutil.rmtree(out)
        shutil.rmtree(again)


def known(tally, folder):
    """Figures that are written here, not read from anywhere: many rows, several groups and pages, values of all signs."""
    lines, want = [], []
    for i in range(130000):
        want.append((f"f{i % 1000};g{i}", i + 1))
        lines.append(f"f{i % 1000};g{i} {i + 1}\n")
    path, out = folder / "many.folded", folder / "many"
    path.write_text("".join(lines))
    r = assay("convert", path, "--to", "parquet", "-o", out)
    tally.check(r.returncode == 0, "a large profile becomes tables", r.stderr)
    value, node, top = Table(out / "value.parquet"), Table(out / "node.parquet"), Table(out / "top.parquet")
    tally.equal(sum(v for v, s in zip(value.columns["value"], value.columns["scope"]) if s == "point"), sum(n for _, n in want), "values add up to what was written")
    tally.equal(node.rows, 130000 + 1000, "a node for each context")
    tally.check(sum(1 for c in node.chunks if c[0] == "id") > 1, "there are several row groups")
    tally.equal({e for c in node.chunks if c[0] == "profile" for e in c[3]} & {PLAIN, DICTIONARY}, {PLAIN, DICTIONARY}, "what repeats has a dictionary")
    tally.equal({e for c in top.chunks if c[0] == "name" for e in c[3]} & {PLAIN, DICTIONARY}, {PLAIN}, "what does not repeat has none")
    self_of = dict(zip(top.columns["name"], top.columns["self"]))
    tally.check(all(self_of[s.split(";")[1]] == n for s, n in want), "every function has its cost")
    for table, label in ((value, "value"), (node, "node"), (top, "top")):
        check_chunks(tally, table, f"many: {label}")


def large(tally, folder):
    path, out = folder / "large.info", folder / "large"
    path.write_text("SF:a.c\nDA:1,18446744073709551615\nDA:2,9223372036854775808\nDA:3,0\nend_of_record\n")
    assay("convert", path, "--to", "parquet", "-o", out)
    tally.equal(Table(out / "cov_line.parquet").columns["hits"], [2**64 - 1, 2**63, 0], "integers of 64 bits are kept")


def names(tally, folder):
    path, out = folder / "names.folded", folder / "names"
    path.write_bytes(b"main;caf\xe9 3\nmain;ok 4\nmain;" + "ω".encode() + b" 5\n")
    r = assay("convert", path, "--to", "parquet", "-o", out)
    tally.check(r.returncode == 0 and b"not UTF-8" in r.stderr, "a name that is not UTF-8 is a loss", r.stderr)
    tally.equal(sorted(Table(out / "function.parquet").columns["name"]), ["caf\\xe9", "main", "ok", "ω"], "and is written with escapes")
    r = assay("convert", path, "--strict", "--to", "parquet", "-o", folder / "strict")
    tally.check(r.returncode != 0 and not (folder / "strict").exists(), "or refused", r.stderr)


def mixed(tally, folder):
    """Metrics of two types in one profile."""
    path, out = folder / "mixed.assay.json", folder / "mixed"
    r = assay("convert", FIXTURES / "demo.assay.json", "--to", "assay-json", "-o", path)
    data = json.loads(path.read_text()) if r.returncode == 0 else {}
    types = {m["type"] for m in data.get("metrics", []) if "type" in m}
    r = assay("convert", FIXTURES / "demo.assay.json", "--to", "parquet", "-o", out)
    kind = Table(out / "metric.parquet").types["total"][0]
    tally.check(kind == (5 if len(types) > 1 or types == {"f64"} else 2), "figures of several types are doubles", types, kind)


def partitions(tally, folder):
    path, out = FIXTURES / "app.m", folder / "parts"
    kinds = {k.lower() for (k,) in ask(path, "select distinct kind from tuple")}
    for kind in sorted(kinds):
        r = assay("convert", path, "--to", "parquet", "--partition", kind, "-o", out)
        tally.check(r.returncode == 0, f"parts by {kind}", r.stderr)
        want = dict(ask(path, f"select t.logical, count(*) from value v left join tuple t on t.stream = v.stream and lower(t.kind) = '{kind}' group by 1"))
        got = {}
        for file in sorted(out.glob("value.parquet/*/*.parquet")):
            key = file.parent.name.removeprefix(f"{kind}=")
            got[None if key == "__HIVE_DEFAULT_PARTITION__" else int(key)] = Table(file).rows
        tally.check(bool(want) and got == want, f"parts by {kind} have the rows of their streams", got, want)
        tally.check((out / "node.parquet").is_file(), "what belongs to no stream is one file")
    r = assay("convert", path, "--to", "parquet", "--partition", "galaxy", "-o", folder / "no")
    tally.check(r.returncode == 2 and not (folder / "no").exists(), "an unknown kind is refused", r.stderr)
    r = assay("convert", path, "--to", "parquet", "--partition", "../x", "-o", folder / "no")
    tally.check(r.returncode == 2, "a path is no kind", r.stderr)


def targets(tally, folder):
    """Only a folder of such tables is replaced."""
    out = folder / "target"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    r = assay("convert", FIXTURES / "demo.callgrind", "--to", "parquet", "-o", out)
    tally.check(r.returncode == 4 and (out / "notes.txt").exists(), "a folder of something else stays", r.stderr)
    (out / "notes.txt").unlink()
    out.rmdir()
    for _ in range(2):
        r = assay("convert", FIXTURES / "demo.callgrind", "--to", "parquet", "-o", out)
        tally.check(r.returncode == 0, "a folder of tables is replaced", r.stderr)
    (out / "notes.txt").write_text("mine")
    r = assay("convert", FIXTURES / "demo.callgrind", "--to", "parquet", "-o", out)
    tally.check(r.returncode == 4 and (out / "notes.txt").exists(), "unless it holds anything else", r.stderr)


def main():
    if not ZSTD.lib:
        print("skipped: there is no library of zstd")
        sys.exit(SKIP)
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        for part in (fixtures, known, large, names, mixed, partitions, targets):
            part(tally, Path(tmp))
    tally.finish()


if __name__ == "__main__":
    main()
