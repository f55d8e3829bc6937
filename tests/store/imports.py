#!/usr/bin/env python3
"""What an import makes of coverage: lines and functions as they came, several inputs and builds added up, sources found, or left out in words.

Expected figures are those of the inputs written here; contents are compared with git's own ids.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SOURCE, Tally, assay, run, said  # noqa: E402

ENVIRONMENT = {**{k: v for k, v in os.environ.items() if not k.startswith("GIT_")}, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent", "SOURCE_DATE_EPOCH": "1750000000",
               "GIT_AUTHOR_DATE": "1740000000 +0000", "GIT_COMMITTER_DATE": "1740000000 +0000"}
PLACE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
TEXT = "int f(int x)\n{\n    return x;\n}\nint main(void)\n{\n    return f(0);\n}\n"


class Repository:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.git("init", "-q", "-b", "main")
        (self.folder / "src").mkdir()
        (self.folder / "src/a.c").write_text(TEXT)
        self.commit()
        self.cov("init")

    def git(self, *args):
        return subprocess.run(("git", "-C", self.folder, *args), check=True, env=ENVIRONMENT, capture_output=True).stdout.decode().strip()

    def commit(self):
        self.git("add", "src")
        self.git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty", "-m", "one")

    def cov(self, *args):
        return assay("cov", *args, cwd=self.folder, env=ENVIRONMENT)

    def input(self, name, lines, path="src/a.c", functions=()):
        rows = "".join(f"FN:{line},{f}\nFNDA:{count},{f}\n" for f, line, count in functions) + "".join(f"DA:{n},{h}\n" for n, h in lines.items())
        (self.folder / name).write_text(f"SF:{path}\n{rows}end_of_record\n")
        return name

    def stored(self):
        """(lines by path, functions by name) of HEAD's report, by way of lcov."""
        assay("convert", self.folder / ".git/.covdata", "--to", "lcov", "-o", self.folder / "out.info")
        lines, calls, path = {}, {}, None
        for row in (self.folder / "out.info").read_text().splitlines():
            key, _, value = row.partition(":")
            if key == "SF":
                path = value
            elif key == "DA":
                lines.setdefault(path, {})[int(value.split(",")[0])] = int(value.split(",")[1])
            elif key == "FNDA":
                calls[value.split(",")[1]] = int(value.split(",")[0])
        return lines, calls

    def reports(self):
        return self.cov("log", "--format=%HR").stdout.decode().split()


def plain(tally, r):
    r.input("one.info", {1: 3, 3: 3, 7: 0}, functions=[("f", 1, 3), ("main", 5, 0)])
    result = r.cov("import", "one.info")
    tally.check(result.returncode == 0, "an import", said(result))
    tally.equal(r.stored(), ({"src/a.c": {1: 3, 3: 3, 7: 0}}, {"f": 3, "main": 0}), "lines and functions are as they came")
    tally.check(r.git("rev-parse", "HEAD:src/a.c") in r.cov("show", "HEAD:src/a.c").stdout.decode() or
                r.git("rev-parse", "HEAD:src/a.c") in assay("dump", r.folder / ".git/.covdata").stdout.decode(), "contents are git's blob")
    tally.equal(r.cov("import", "one.info").stdout, b"no changes in reported coverage\n", "the same again is no change")
    tally.equal(len(r.reports()), 1, "and no report")


def different(tally, r):
    """Equal statistics are not equal reports; only the original's rule takes them for one."""
    r.cov("import", "-p", "os=linux", "-p", "n=1", r.input("one.info", {1: 3, 3: 0}))
    tally.equal(r.cov("import", "-p", "n=1", "-p", "os=linux", "one.info").stdout, b"no changes in reported coverage\n", "the order of properties is no change")
    r.input("two.info", {1: 0, 3: 3})
    tally.equal(r.cov("import", "--exact", "-p", "os=linux", "-p", "n=1", "two.info").stdout, b"no changes in reported coverage\n",
                "--exact: equal statistics are no change")
    for what, args in (("other lines", ("-p", "os=linux", "-p", "n=1", "two.info")), ("another value", ("-p", "os=darwin", "-p", "n=1", "two.info")),
                       ("fewer properties", ("-p", "os=darwin", "two.info"))):
        before = r.reports()
        result = r.cov("import", *args)
        tally.check(result.returncode == 0 and r.reports()[1:] == before, f"{what} make another report", said(result))
    tally.equal(r.stored()[0], {"src/a.c": {1: 0, 3: 3}}, "the last one is what HEAD stands for")


def measured_elsewhere(tally, r):
    """Paths of another machine are matched by how they end; where that says nothing, it is an error."""
    (r.folder / "lib").mkdir()
    (r.folder / "lib/a.c").write_text(TEXT)
    (r.folder / "src/b.c").write_text(TEXT)
    r.git("add", "lib")
    r.commit()
    result = r.cov("import", r.input("one.info", {1: 3}, path="/builds/x/src/a.c"))
    tally.check(result.returncode == 0 and b"1 of 1 matched by their endings, such as '/builds/x/src/a.c' and 'src/a.c'" in result.stderr, "matched by the end",
                said(result))
    tally.equal(r.stored()[0], {"src/a.c": {1: 3}}, "under the path of the commit")
    r.input("two.info", {3: 4}, path="project/src/b.c")
    tally.equal(r.cov("import", "one.info", "two.info").returncode, 0, "each input by itself")
    tally.equal(r.stored()[0], {"src/a.c": {1: 3}, "src/b.c": {3: 4}}, "in one report")
    before = r.reports()
    for name, path in (("nowhere", "/builds/x/c.c"), ("either", "a.c")):
        r.input(f"{name}.info", {1: 1}, path=path)
        result = r.cov("import", f"{name}.info")
        tally.check(result.returncode == 2 and b"no file of the report is in" in result.stderr and path.encode() in result.stderr and b"--map" in result.stderr,
                    f"{name}: an error that names both sides", said(result))
    tally.equal(r.reports(), before, "and no empty report")
    result = r.cov("import", "one.info", "nowhere.info", r.input("direct.info", {7: 1}))
    tally.check(result.returncode == 0 and b"/builds/x/c.c is neither" in result.stderr, "one input of several may have no source", said(result))
    tally.equal(r.stored()[0], {"src/a.c": {1: 3, 7: 1}}, "the others are stored")


def losses(tally, r):
    (r.folder / "one.info").write_text("SF:src/a.c\nDA:1,1\nDA:3,1\nBRDA:1,0,0,1\nBRDA:1,0,1,-\nBRDA:3,0,0,0\nend_of_record\n")
    result = r.cov("import", "one.info")
    tally.check(result.returncode == 0 and b"loss: branches: " in result.stderr, "branches are named as lost", said(result))
    answer = json.loads(r.cov("import", "--json", "-p", "a=1", "one.info").stdout)
    tally.equal([(x["kind"], x["count"]) for x in answer["losses"]], [("branches", 3)], "in JSON too")
    tally.equal(r.cov("import", r.input("two.info", {1: 1})).stderr, b"", "without branches nothing is said")


def empty(tally, r):
    """A report of nothing, as older versions stored it: log, log --stat and show say the same of it."""
    r.cov("import", r.input("one.info", {1: 1}))
    (r.folder / "src/b.c").write_text(TEXT)
    r.commit()
    r.input("b.info", {1: 1}, path="src/b.c")
    r.cov("import", "one.info", "b.info")
    (r.folder / "empty.json").write_text(json.dumps({"git": {"branch": "main", "head": r.git("rev-parse", "HEAD")}, "files": []}))
    tally.equal(r.cov("report", "empty.json").returncode, 0, "a report of no files")
    shown = r.cov("show", "--format=%pPL %pVL/%pTL").stdout.decode().split("\n")
    tally.equal(shown[0].split(), ["0%", "0/0"], "show: its header")
    total = next((row for row in shown if "TOTAL" in row), "").split("|")
    tally.check(len(total) > 2 and total[2].split()[0] == "0.00", "show: its table", *shown)
    tally.equal(r.cov("log", "-n1", "--format=%pPL %pVL/%pTL").stdout.split(), [b"0%", b"0/0"], "log")
    stat = r.cov("log", "-n1", "--stat", ".").stdout.decode().split()
    tally.equal(stat[1:4], ["2025-02-19", "0.00%", "0/0"], "log --stat, with the date of the commit")
    tally.check(json.loads(r.cov("log", "-n1", "--stat", ".", "--json").stdout)["reports"][0]["committed"] == 1740000000, "in JSON too")


def several_inputs(tally, r):
    r.input("one.info", {1: 3, 3: 3}, path=str(r.folder / "src/a.c"))
    r.input("two.info", {3: 4, 7: 1}, path="/builds/x/src/a.c")
    result = r.cov("import", "--map", "/builds/x=.", "one.info", "two.info")
    tally.check(result.returncode == 0, "two inputs", said(result))
    tally.equal(r.stored()[0], {"src/a.c": {1: 3, 3: 7, 7: 1}}, "hits of two inputs are added, paths are those of the work tree")


def filtered(tally, r):
    (r.folder / "src/b.c").write_text("int x; // LCOV_EXCL_LINE\nint y;\n")
    (r.folder / "src/c.c").write_text("int z;\n")
    r.commit()
    for name in ("b", "c"):
        r.input(f"{name}.info", {1: 1, 2: 1} if name == "b" else {1: 1}, path=f"src/{name}.c")
    result = r.cov("import", "--exclusions", "--exclude", "src/c.c", "b.info", "c.info")
    tally.check(result.returncode == 0, "filters", said(result))
    tally.equal(r.stored()[0], {"src/b.c": {2: 1}}, "marked lines and excluded files are not stored")


def amended(tally, r):
    r.cov("import", r.input("one.info", {1: 1}))
    r.cov("import", r.input("one.info", {1: 1, 3: 1}))
    before = r.reports()
    r.cov("import", "--amend", r.input("one.info", {1: 1, 3: 0}))
    after = r.reports()
    tally.check(len(after) == 2 and after[1] == before[1] and after[0] != before[0], "amend takes the place of the newest report", before, after)


def added(tally, r):
    r.cov("import", "-p", "os=linux", r.input("one.info", {1: 1, 3: 0}, functions=[("f", 1, 2)]))
    result = r.cov("import", "--add", "-p", "os=darwin", r.input("two.info", {3: 2, 7: 5}, functions=[("f", 1, 3)]))
    tally.check(result.returncode == 0, "a second build", said(result))
    tally.equal(r.stored(), ({"src/a.c": {1: 1, 3: 2, 7: 5}}, {"f": 5}), "builds are added up line by line")
    tally.equal(len(r.reports()), 1, "in one report")
    tally.equal(assay("check", r.folder / ".git/.covdata").returncode, 0, "whose sums agree")
    r.commit()
    tally.equal(r.cov("import", "--add", "two.info").returncode, 2, "a build of another commit is refused")


def sources(tally, r):
    r.input("one.info", {1: 1}, path="nowhere.c")
    (r.folder / "outside").symlink_to("/etc")
    r.input("two.info", {1: 1}, path="outside/passwd")
    for name in ("one.info", "two.info"):
        tally.equal(r.cov("import", name).returncode, 2, f"{name}: alone it is refused")
        result = r.cov("import", name, r.input("good.info", {1: 1}))
        tally.check(b"left out" in result.stderr and list(r.stored()[0]) == ["src/a.c"], f"{name}: a source that is nowhere is left out, in words", said(result))
        tally.equal(r.cov("import", "--strict", name).returncode, 2, f"{name}: or refused")
    (r.folder / "src/a.c").write_text(TEXT + "int more;\n")
    result = r.cov("import", r.input("one.info", {9: 1}))
    tally.check(result.returncode == 0, "a source that is not committed", said(result))
    tally.equal(assay("check", r.folder / ".git/.covdata").stdout.count(b"S11"), 0, "is kept in the store")
    tally.check((r.folder / ".git/.covdata/objects" / (blob := r.git("hash-object", "src/a.c"))[:2] / blob[2:]).exists(), "under git's id")


def answers(tally, r):
    """The JSON of the commands is what docs/schema says."""
    try:
        import jsonschema
    except ImportError:
        tally.skip("schemas", "no python3-jsonschema")
        return
    r.input("one.info", {1: 1})
    for name, schema, args in (("import", "cov-import", ("one.info",)), ("import", "cov-import", ("one.info",)), ("gc", "cov-gc", ("-n",)), ("fsck", "check", ("-v",))):
        answer = json.loads(r.cov(name, "--json", *args).stdout)
        fault = next(jsonschema.Draft202012Validator(json.loads((SOURCE / f"docs/schema/{schema}.schema.json").read_text())).iter_errors(answer), None)
        tally.check(fault is None, f"cov {name} --json", fault)


def nothing(tally, r):
    tally.equal(r.cov("import", "--amend", r.input("one.info", {1: 1})).returncode, 2, "there is nothing to amend")
    tally.equal(r.cov("import", "--commit", "0123456789", "one.info").returncode, 2, "there is no such commit")
    tally.equal(r.cov("import", "src/a.c").returncode, 2, "that is no coverage")
    tally.equal(r.reports(), [], "and no report of it")


def main():
    tally = Tally()
    if run("git", "--version").returncode != 0:
        tally.skip("imports", "no git")
        tally.finish()
    for test in (plain, different, measured_elsewhere, losses, empty, several_inputs, filtered, amended, added, sources, answers, nothing):
        with tempfile.TemporaryDirectory(dir=PLACE) as folder:
            test(tally, Repository(folder))
    tally.finish()


if __name__ == "__main__":
    main()
