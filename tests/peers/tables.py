#!/usr/bin/env python3
"""Tables that assay writes of every sample, as other programs read them: the rows of each table, how many values each column has and their sum, by sqlite3 of what `convert --to sqlite`
wrote, and by DuckDB, hyparquet and Arrow (Rust) of what `convert --to parquet` did. `./dev test` installs the last three into build/peers; those that are missing are skipped.
   tables.py [PART]        only samples whose path contains PART
   tables.py --every N     each N-th sample, which is what `./dev test` runs: all of them take three minutes"""
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "query"), str(Path(__file__).resolve().parent)]
from listing import all_samples  # noqa: E402
from peer import has  # noqa: E402
from support import BUILD, FIXTURES, SHARED, SOURCE, Tally, assay, has_shared  # noqa: E402

MODULES = Path(os.environ.get("PEER_MODULES") or BUILD / "peers" / "node_modules")
LOADER = Path(__file__).resolve().parent / "loaders" / "tables.mjs"
MOST = 2 << 20  # bytes of a sample


class Readers:
    def __init__(self):
        self.process = subprocess.Popen(["node", LOADER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PEER_MODULES": str(MODULES)}, text=True)

    def read(self, folder):
        self.process.stdin.write(f"{folder}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def of_sqlite(tally, path, label):
    """The same figures of a database."""
    out = {}
    db = sqlite3.connect(path)
    db.text_factory = bytes
    tally.equal(db.execute("pragma integrity_check").fetchall(), [(b"ok",)], f"{label}: sqlite3 finds the database whole")
    for (table,) in db.execute("select name from sqlite_schema where type = 'table'").fetchall():
        table = table.decode()
        columns = [r[1].decode() for r in db.execute(f'pragma table_info("{table}")')]
        rows = db.execute(f'select * from "{table}"').fetchall()
        out[table] = {"rows": len(rows), "columns": {}}
        for i, c in enumerate(columns):
            found = [r[i] for r in rows if r[i] is not None]
            if found and isinstance(found[0], bytes):
                value = sum(len(v) for v in found)
            else:
                value = math.fsum(found) if any(isinstance(v, float) for v in found) else sum(found)
            out[table]["columns"][c] = (len(found), value if found else None)
    db.close()
    return out


def same(got, want):
    if got is None or want is None:
        return got is want
    if isinstance(want, int) and isinstance(got, str):
        return int(got) == want
    got, want = float(got), float(want)
    return got == want or math.isnan(got) and math.isnan(want) or math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-9)


def compare(tally, reader, table, got, want, label):
    if not tally.check("error" not in got and got.get("rows") == want["rows"], f"{label}: {table} by {reader}: rows", got.get("error") or got.get("rows"), want["rows"]):
        return
    differ = {c: (got["columns"].get(c), w) for c, w in want["columns"].items() if not (c in got["columns"] and got["columns"][c][0] == w[0] and same(got["columns"][c][1], w[1]))}
    tally.check(not differ, f"{label}: {table} by {reader}: values and sums", differ)


def sample(tally, readers, path, tmp, number):
    """A folder of its own for each: DuckDB keeps what it read of a path, and files of the same second and size look the same to it."""
    database, folder = tmp / f"{number}.db", tmp / f"tables-{number}"
    try:
        return tables(tally, readers, path, database, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        database.unlink(missing_ok=True)


def tables(tally, readers, path, database, folder):
    if assay("convert", path, "--to", "sqlite", "-o", database).returncode != 0:
        return 0
    r = assay("convert", "--json", path, "--to", "parquet", "-o", folder)
    if not tally.check(r.returncode == 0, f"{path.name}: what becomes a database becomes files", r.stderr):
        return 0
    want, said = of_sqlite(tally, database, path.name), readers.read(folder)
    tally.equal(sorted(said["tables"]), sorted(t for t, w in want.items() if w["rows"] and t != "docs"), f"{path.name}: a file for each table that has rows")
    if b'"losses": []' not in r.stdout:
        return len(said["readers"])  # names have other lengths, integers are doubles
    for table, found in said["tables"].items():
        for reader, got in found.items():
            compare(tally, reader, table, got, want[table], path.name)
    return len(said["readers"])


RECIPE = re.compile(r"\*run\*\n\n```sql\n(.*?)```", re.S)


def recipes(tally, tmp):
    """The statements of docs/tables.md that one machine can run, on three runs of folded stacks."""
    if not (MODULES / "@duckdb").is_dir():
        tally.skip("recipes", "there is no DuckDB")
        return
    cost = {f"r{i}": {"lex": 3 * i, "parse": 10 + i, "main": 1} for i in (1, 2, 3)}
    for run, c in cost.items():
        (tmp / f"{run}.folded").write_text(f"main;parse;lex {c['lex']}\nmain;parse {c['parse']}\nmain {c['main']}\n")
        (tmp / "runs").mkdir(exist_ok=True)
        assay("convert", tmp / f"{run}.folded", "--to", "parquet", "-o", tmp / "runs" / run)
    rows = [(run, name, n) for run, c in cost.items() for name, n in c.items()]
    said = dict(json.loads(line).values() for line in assay("query", "--format", "jsonl", tmp / "r1.folded", "select ifnull('column.' || column_name, 'table'), meaning from docs where table_name = 'top'").stdout.splitlines())
    want = [
        sorted(rows, key=lambda r: (-r[2], r[0], r[1])),
        [(run, c["parse"], c["parse"] - cost[f"r{i}"]["parse"] if i else None) for i, (run, c) in enumerate(cost.items())],
        sorted(rows, key=lambda r: (r[0], -r[2], r[1])),
        [(k, said[k]) for k in ("column.self", "table")],
    ]
    statements = RECIPE.findall((SOURCE / "docs" / "tables.md").read_text(encoding="utf-8"))
    tally.equal(len(statements), len(want), "every statement that is marked has its rows here")
    for sql, rows in zip(statements, want):
        r = subprocess.run(["node", LOADER.parent / "duckdb.mjs", sql.strip().rstrip(";")], cwd=tmp, env={**os.environ, "PEER_MODULES": str(MODULES)}, capture_output=True, text=True, check=False)
        got = [tuple(int(v) if isinstance(v, str) and re.fullmatch(r"-?\d+", v) else v for v in row) for row in json.loads(r.stdout)] if r.returncode == 0 else r.stderr
        tally.check(got == rows, f"recipe: {sql[:60]}", got, rows)


def main():
    tally = Tally()
    if not has(tally, "tables by other programs", "node"):
        tally.finish()
    if not (MODULES / "hyparquet").is_dir() and not (MODULES / "@duckdb").is_dir():
        tally.skip("tables by other programs", f"there are no readers in {MODULES}")
        tally.finish()
    readers, used = Readers(), 0
    every = int(sys.argv[2]) if sys.argv[1:2] == ["--every"] else 1
    wanted = sys.argv[1] if len(sys.argv) == 2 else ""
    with tempfile.TemporaryDirectory() as tmp:
        recipes(tally, Path(tmp))
        for number, path in enumerate(all_samples(FIXTURES, SHARED / "data" if has_shared() else None, Path(tmp))):
            is_taken = number % every == 0 and wanted in str(path)
            if is_taken and (path.is_dir() or path.stat().st_size <= MOST):
                used = max(used, sample(tally, readers, path, Path(tmp), number))
    readers.close()
    print(f"{used} readers of Parquet")
    tally.finish()


if __name__ == "__main__":
    main()
