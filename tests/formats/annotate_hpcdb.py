#!/usr/bin/env python3
"""`annotate` of HPCToolkit's databases: the own cost of lines as the shared data states it (`lines_self`, found by another reader), of every database;
sources that were copied into a database, by the original and by `convert --copy-sources`, or that lie elsewhere (--source-root, --map)."""
import json
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared, said  # noqa: E402

DATA = SHARED / "data" / "hpcdb"
DEMO = SHARED / "data" / "hpcrun" / "demo"


def lines_self(path, metric):
    """{(file, line): self} over all rows; None = it says nothing about lines."""
    result = assay("annotate", "--json", "--limit", "0", path)
    if result.returncode == 3 and b"nothing about lines" in result.stderr:
        return None
    found = {}
    for source in json.loads(result.stdout)["sources"]:
        for row in source["lines"]:
            place = (source["file"], row["line"])
            if "self" in row:
                found[place] = found.get(place, 0) + row["self"][metric]
    return found


def check_lines(tally, folder):
    for name, want in json.loads((DATA / "expected.json").read_text(encoding="utf-8")).items():
        facts = want.get("facts", {})
        if "lines_self" not in facts:
            continue
        for archive in sorted(DATA.glob(name)):
            with tarfile.open(archive) as tar:
                tar.extractall(folder)
        path = folder / name.split(".")[0]
        got = lines_self(path, facts["main_metric"]) or {}
        wrong = [(f, n, v, got.get((f, n))) for f, n, v in facts["lines_self"] if abs(got.get((f, n), 0) - v) > 1e-9 * abs(v)]
        tally.equal(wrong, [], f"{name}: own cost of {len(facts['lines_self'])} lines")
        # The facts list the most expensive lines: no other one costs more. Generated databases also have cost at functions and loops themselves, which stands at
        # the line where these begin.
        least = min((v for _, _, v in facts["lines_self"]), default=0)
        named = {(f, n) for f, n, _ in facts["lines_self"]}
        other = [(p, v) for p, v in got.items() if p not in named and p[1] and v > least * (1 + 1e-9)] if len(named) == 10 and not name.startswith("gen-") else []
        tally.equal(other, [], f"{name}: no line costs more than those")
        shutil.rmtree(path, ignore_errors=True)


def text_of(tally, label, *args):
    result = assay("annotate", "--json", "--limit", "0", *args)
    if not tally.check(result.returncode == 0, label, said(result)):
        return {}
    return {Path(s["file"]).name: (s, [r["text"] for r in s["lines"] if "text" in r]) for s in json.loads(result.stdout)["sources"]}


def check_sources(tally, folder):
    want = (DEMO / "demo-struct.d" / "src" / "tmp" / "demo" / "hpcdemo" / "demo.c").read_text().split("\n")[:-1]
    database, made, elsewhere = folder / "demo-struct.d", folder / "made.d", folder / "elsewhere"
    shutil.copytree(DEMO / "demo-struct.d", database, copy_function=shutil.copyfile)
    tally.equal(text_of(tally, "copied by the original", database)["demo.c"][1], want, "sources inside a database")
    result = assay("convert", DEMO / "demo.m", "--to", "hpcdb", "--foreign", "--copy-sources", "-R", f"/tmp/demo/hpcdemo={DEMO}", "-o", made)
    tally.check(result.returncode == 0, "convert --copy-sources", said(result))
    tally.equal(text_of(tally, "copied by convert", made)["demo.c"][1], want, "sources that convert copied")
    (database / "src").rename(elsewhere)
    tally.equal(text_of(tally, "--source-root", "--source-root", elsewhere / "tmp", database)["demo.c"][1], want, "sources below a root")
    tally.equal(text_of(tally, "--map", "--map", f"src={elsewhere}", database)["demo.c"][1], want, "sources by a map")
    source, text = text_of(tally, "missing", database)["demo.c"]
    tally.check(not text and source["source"] is None and str(database / "src/tmp/demo/hpcdemo/demo.c") in source["tried"], "the places that were tried", source["tried"])


def main():
    tally = Tally()
    if not has_shared():
        tally.skip("annotate of databases", "no shared data")
        tally.finish()
    with tempfile.TemporaryDirectory(prefix="assay-annotate-") as folder:
        check_lines(tally, Path(folder))
        check_sources(tally, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
