#!/usr/bin/env python3
"""Statements that try to leave the tables, to take too much, or to break what reads them; names that try to be SQL; and what sqlite3 says of the databases that we write."""
import json
import sqlite3
import sys
import tempfile
import time
from math import isclose
from pathlib import Path
from statistics import median, stdev

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, Tally, assay  # noqa: E402

PROFILE = FIXTURES / "demo.callgrind"
REFUSED = [
    "attach '{dir}/x.db' as x", "attach ':memory:' as x", "detach main", "create table t(a)", "create temp table t(a)", "create view v as select 1", "create virtual table t using top",
    "create trigger t after insert on top begin select 1; end", "drop table top", "delete from top", "insert into top values (1)", "update top set self = 1", "vacuum", "vacuum into '{dir}/x.db'",
    "analyze", "begin", "commit", "savepoint a", "pragma journal_mode = wal", "pragma temp_store_directory = '{dir}'", "pragma writable_schema = on", "pragma user_version = 7",
    "pragma trusted_schema = on", "pragma database_list", "select * from pragma_database_list", "select load_extension('{dir}/x.so')", "select readfile('/etc/passwd')", "select writefile('{dir}/x', 'y')",
    "select edit('x')", "select fts3_tokenizer('simple')", "alter table top rename to t", "explain create table t(a)",
]
TOO_MUCH = [
    "select zeroblob(1000000000)", "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c",
    "select count(*) from top a, top b, top c, top d, top e, top f, top g, top h, top i, top j", "select group_concat(printf('%10000d', a.self)) from docs a, docs b, docs c",
    "with recursive c(x) as (select printf('%100000d', 1) union all select x || 'y' from c) select count(*) from (select x from c order by x)",
]
HARMLESS = [
    "reindex", "select length(printf('%1000000000d', 1))",
    "select 1", "select * from top where name = 'x'' or 1 = 1 --'", "select * from top where function = 1e300", "select * from top where function = -1", "select * from value where node = 9223372036854775807",
    "select * from value where stream = -5", "select * from node where id = 'x'", "select * from node where id = 1.5", "select * from node where id = x'00ff'", "select * from node where id is null",
    "select * from tree where metric = 7", "select * from tree where node = 'a'", "select stack(-1), stack(0), stack(99999999999), stack(null), stack('x')", "select * from subtree(-1)",
    "select * from subtree('x')", "select * from subtree(null)", "select * from flame('')", "select human(null, null), human('x', 'y'), share(1, 0), share(null, 1)", "select 'a' regexp '('",
    "select percentile(self, 500) from top", "select percentile(self, 'x') from top", "select median(name), stddev(name) from top", "select * from top natural join function",
    "select a.name from top a left join top b on b.key = a.key and b.profile = 2", "select * from docs", "select name collate nocase from top where name collate nocase = 'MAIN'", "pragma table_info(top)",
    "select count(*) from event where stream = 0 and time between -9223372036854775808 and 9223372036854775807", "select * from metric where name in ('Ir', 'x', 7, null)", ";;;", "select * from top order by random()",
]


def statements(tally, folder):
    for sql in REFUSED:
        sql = sql.replace("{dir}", str(folder))
        before = sorted(p.name for p in folder.iterdir())
        r = assay("query", PROFILE, sql)
        tally.check(r.returncode == 2 and not r.stdout and sorted(p.name for p in folder.iterdir()) == before, f"refused: {sql}", r.returncode, r.stdout, r.stderr)
    for sql in TOO_MUCH:
        start = time.monotonic()
        r = assay("query", "--max-seconds", "2", "--max-memory", "200M", PROFILE, sql)
        tally.check(r.returncode in (2, 3, 4) and time.monotonic() - start < 20, f"ends: {sql}", r.returncode, r.stdout[:200], r.stderr)
    for sql in HARMLESS:
        r = assay("query", "--max-seconds", "20", PROFILE, sql)
        tally.check(r.returncode in (0, 2), f"harmless: {sql}", r.returncode, r.stderr)


def columns(tally, folder):
    """Every column can be named without quotes, compared, and sorted by."""
    docs = json.loads(assay("query", "--format", "json", PROFILE, "select table_name, column_name from docs where column_name is not null").stdout)["rows"]
    tables = sorted({d["table_name"] for d in docs})
    tally.check({"flame", "subtree"} <= set(tables), "tables with an argument are documented, too", tables)
    for d in json.loads(assay("query", "--format", "json", PROFILE, "select table_name, example from docs where column_name is null").stdout)["rows"]:
        r = assay("query", PROFILE, d["example"])
        tally.check(r.returncode == 0, f"the example of {d['table_name']} runs", d["example"], r.stderr)
    for table in tables:
        mine = [d["column_name"] for d in docs if d["table_name"] == table]
        told = json.loads(assay("query", "--format", "json", PROFILE, f"select column_name from docs where table_name = '{table}' and column_name is not null").stdout)["rows"]
        tally.equal([d["column_name"] for d in told], mine, f"docs of {table}, looked up")
        sql = f"select {', '.join(mine)} from {table} where " + " or ".join(f"{c} = 'x' and {c} is not null" for c in mine) + f" order by {mine[0]}"
        r = assay("query", PROFILE, sql)
        tally.check(r.returncode == 0, f"columns of {table}", r.stderr)


def orders(tally, folder):
    """Values come sorted, so that SQL need not sort them: the groups and orders are the same as here."""
    for inputs in ([FIXTURES / "app.m"], [FIXTURES / "app.m", FIXTURES / "demo.folded"]):
        def ask(sql):
            return [tuple(r.values()) for r in json.loads(assay("query", "--format", "json", *inputs, sql).stdout)["rows"]]  # pylint: disable=cell-var-from-loop
        rows = ask("select profile, stream, node, value from value")
        for columns in ((0,), (1,), (2,), (0, 1), (1, 0), (1, 2), (0, 1, 2), (2, 1), (0, 2)):
            names = ", ".join(("profile", "stream", "node")[c] for c in columns)

            def key(row):
                return tuple((row[c] is not None, row[c] or 0) for c in columns)  # pylint: disable=cell-var-from-loop
            groups = {}
            for row in rows:
                groups[key(row)] = groups.get(key(row), 0) + 1
            tally.equal(sorted(r[-1] for r in ask(f"select {names}, count(*) from value group by {names}")), sorted(groups.values()), f"groups by {names} of {len(inputs)}")
            tally.equal([key(r) for r in ask(f"select profile, stream, node from value order by {names}")], sorted(map(key, rows)), f"order by {names} of {len(inputs)}")
            want = sorted(map(key, rows), reverse=True)
            tally.equal([key(r) for r in ask(f"select profile, stream, node from value order by {', '.join(n + ' desc' for n in names.split(', '))}")], want, f"order down by {names}")


def aggregates(tally, folder):
    """Aggregates that SQLite lacks, on numbers whose figures Python knows."""
    numbers = [631, 2, 7, 641, 3.5, 19, 23, 5, 11, 13, 17]
    rows = ", ".join(f"({n})" for n in numbers)
    for percent in (0, 10, 37, 50, 90, 95, 100):
        place = percent * (len(numbers) - 1)
        low, part, ordered = place // 100, place % 100 / 100, sorted(numbers)
        want = ordered[low] + (ordered[min(low + 1, len(numbers) - 1)] - ordered[low]) * part
        r = assay("query", "--format", "json", PROFILE, f"select percentile(column1, {percent}) as p from (values {rows})")
        tally.equal(json.loads(r.stdout)["rows"][0]["p"], want, f"percentile {percent}")
    r = assay("query", "--format", "json", PROFILE, f"select median(column1) as m, stddev(column1) as s, stddev(1) as one from (values {rows})")
    got = json.loads(r.stdout)["rows"][0]
    tally.check(got["m"] == median(numbers) and isclose(got["s"], stdev(numbers), rel_tol=1e-12) and got["one"] == 0, "median and deviation", got)


def labels(tally, folder):
    """label_of finds the labels of pprof's samples: figures of make-pprof.py."""
    sql = "select label_of(labels, 'endpoint') as endpoint, sum(self) from sample where metric = 'samples' group by 1 order by 1"
    rows = [tuple(json.loads(line).values()) for line in assay("query", "--format", "jsonl", FIXTURES / "demo.pprof", sql).stdout.decode().splitlines()]
    tally.equal(rows, [(None, 1), ("/cart", 7), ("/home", 2)], "samples by label")
    for sql in ("select label_of(1)", "select label_of(1, 2, 3, 4)"):
        tally.equal(assay("query", FIXTURES / "demo.pprof", sql).returncode, 2, sql)
    for sql in ("label_of(null, 'x')", "label_of(-1, 'x')", "label_of(99999999999, 'x')", "label_of(1, null)", "label_of(9, 1, 'x')", "label_of('a', 'b')"):
        r = assay("query", "--format", "jsonl", FIXTURES / "demo.pprof", f"select {sql} as v")
        tally.equal(r.stdout, b'{"v": null}\n', sql)


def names(tally, folder):
    """Names that look like SQL, formulas or control characters are data."""
    odd = ["a'; drop table top; --", '"x"', "=1+1", "\x1b[31mred", "caf\u00e9", "x" * 5000, "a|b", "a,b"]
    path = folder / "odd.callgrind"
    path.write_text("events: Ir\n" + "".join(f"fl=s{i}.c\nfn={n}\n1 {i + 1}\n\n" for i, n in enumerate(odd)), encoding="utf-8")
    r = assay("query", "--format", "jsonl", path, "select name from top order by self")
    tally.equal([json.loads(line)["name"] for line in r.stdout.decode().splitlines()], odd, "names come back as they are")
    r = assay("query", path, "select name from top")
    tally.check(b"\x1b" not in r.stdout, "no control character reaches the terminal", r.stdout[:200])


def large(tally, folder):
    """Values of 2^63 and more are never negative."""
    path = folder / "large.info"
    path.write_text("SF:a.c\nDA:1,18446744073709551615\nDA:2,9223372036854775808\nDA:3,9223372036854775807\nend_of_record\n")
    sql = "select line, hits, typeof(hits) from cov_line order by line"
    rows = [tuple(json.loads(line).values()) for line in assay("query", "--format", "jsonl", path, sql).stdout.decode().splitlines()]
    tally.equal(rows, [(1, float(2**64 - 1), "real"), (2, float(2**63), "real"), (3, 2**63 - 1, "integer")], "they are the nearest reals")
    rows = [tuple(json.loads(line).values()) for line in assay("query", "--exact", "--format", "jsonl", path, sql).stdout.decode().splitlines()]
    tally.equal(rows, [(1, "18446744073709551615", "text"), (2, "9223372036854775808", "text"), (3, 2**63 - 1, "integer")], "with --exact they have all digits")


def databases(tally, folder):
    """What we write is whole, has the rows that questions have, and is the same twice."""
    for name in ("demo.callgrind", "demo.info", "demo.nytprof", "demo.folded", "demo.xdebug", "app.m", "demo.assay.json"):
        path, out, again = FIXTURES / name, folder / f"{name}.db", folder / f"{name}.again.db"
        r = assay("convert", path, "--to", "sqlite", "-o", out)
        if not tally.check(r.returncode == 0, f"{name}: becomes a database", r.stderr):
            continue
        assay("convert", path, "--to", "sqlite", "-o", again)
        tally.check(out.read_bytes() == again.read_bytes(), f"{name}: the same bytes twice")
        with sqlite3.connect(out) as db:
            db.text_factory = bytes
            tally.equal(db.execute("pragma integrity_check").fetchall(), [(b"ok",)], f"{name}: sqlite3 finds it whole")
            for table, columns in (("top", "name, metric, self, total, calls"), ("value", "stream, node, value"), ("cov_line", "line, hits")):
                want = sorted(map(repr, db.execute(f"select {columns} from {table}").fetchall()))
                asked = json.loads(assay("query", "--format", "json", path, f"select {columns} from {table}").stdout)["rows"]
                mine = sorted(repr(tuple(v.encode() if isinstance(v, str) else v for v in row.values())) for row in asked)
                tally.check(mine == want, f"{name}: {table} has the rows of the query", mine[:2], want[:2])


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        statements(tally, folder)
        columns(tally, folder)
        orders(tally, folder)
        aggregates(tally, folder)
        labels(tally, folder)
        names(tally, folder)
        large(tally, folder)
        databases(tally, folder)
    tally.finish()


if __name__ == "__main__":
    main()
