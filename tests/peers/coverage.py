#!/usr/bin/env python3
"""Row by row: what assay reads out of a report against what the tool that wrote it says of each file and line.

Small programs are recorded here and now by gcc (lcov, gcovr), clang (llvm-cov), coverage.py, nyc and c8, go; each part is skipped where its tool is missing.
With ASSAY_PEER_SOURCES=FOLDER also zlib, cJSON and pugixml, as `apt-get source` unpacks them there.
"""
import csv
import json
import os
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peer import LARGE, PROGRAMS, has, quietly  # noqa: E402
from support import BUILD, Tally, assay, said  # noqa: E402

NODE = BUILD / "peers" / "node_modules" / ".bin"


class Rows:
    """Of each file: line -> hits, line -> (branches, branches hit), function -> calls."""

    def __init__(self):
        self.lines = defaultdict(dict)
        self.branches = defaultdict(dict)
        self.functions = defaultdict(dict)

    def files(self):
        return sorted(set(self.lines) | set(self.branches) | set(self.functions))


# ---- ours ----

def ours(tally, path, label):
    result = assay("annotate", "--json", "--limit", "0", path)
    rows = Rows()
    if not tally.check(result.returncode == 0, f"{label}: assay reads it", said(result)):
        return rows
    for source in json.loads(result.stdout)["sources"]:
        name = source["file"]
        for line in source["lines"]:
            if line.get("hits") is not None and line.get("state") not in ("none", "excluded"):
                rows.lines[name][line["line"]] = line["hits"]
            if line.get("branches"):
                rows.branches[name][line["line"]] = (line["branches"], line["branches_hit"])
            for function in line.get("functions", ()):
                rows.functions[name][function["name"]] = function["calls"]
    return rows


# ---- theirs ----

def lcov_rows(path):
    """A tracefile by lcov's own rules: equal keys are added up."""
    rows, taken, name = Rows(), defaultdict(int), None
    for text in Path(path).read_text(encoding="utf-8", errors="surrogateescape").split("\n"):
        key, _, rest = text.partition(":")
        if key == "SF":
            name = rest
            rows.lines[name], rows.functions[name]  # a file without rows is one, too
        elif key == "DA":
            line, count = rest.split(",")[:2]
            rows.lines[name][int(line)] = rows.lines[name].get(int(line), 0) + int(count)
        elif key == "FNDA":
            count, function = rest.split(",", 1)
            rows.functions[name][function] = rows.functions[name].get(function, 0) + int(count)
        elif key == "BRDA":
            line, block, branch, count = rest.split(",")
            taken[name, int(line), block, branch] += 0 if count == "-" else int(count)
    for (name, line, _, _), count in taken.items():
        found, hit = rows.branches[name].get(line, (0, 0))
        rows.branches[name][line] = (found + 1, hit + (count > 0))
    return rows


def cobertura_rows(path, folder=""):
    rows = Rows()
    for item in ElementTree.parse(path).getroot().iter("class"):
        name = os.path.join(folder, item.get("filename"))
        for line in item.findall("lines/line"):
            number = int(line.get("number"))
            rows.lines[name][number] = int(line.get("hits"))
            shown = re.search(r"\((\d+)/(\d+)\)", line.get("condition-coverage", ""))
            if shown:
                rows.branches[name][number] = (int(shown.group(2)), int(shown.group(1)))
    return rows


# ---- both ----

def compare(tally, got, want, label, kinds=("lines", "branches", "functions"), base=False):
    """Every file, and of each file every row; base = by the name of the file without its folder."""
    for kind in kinds:
        a, b = getattr(got, kind), getattr(want, kind)
        if base:
            a, b = {Path(k).name: v for k, v in a.items()}, {Path(k).name: v for k, v in b.items()}
        a, b = {k: v for k, v in a.items() if v}, {k: v for k, v in b.items() if v}
        tally.equal(sorted(a), sorted(b), f"{label}: the same files have {kind}")
        for name in sorted(set(a) & set(b)):
            differ = {row: (a[name].get(row), b[name].get(row)) for row in set(a[name]) | set(b[name]) if a[name].get(row) != b[name].get(row)}
            tally.check(not differ, f"{label}: {kind} of {name}", "ours, theirs:", *[f"{row}: {pair}" for row, pair in sorted(differ.items(), key=str)[:8]])


# ---- programs of C and C++ ----

class Program:
    def __init__(self, name, sources, flags=()):
        self.name, self.sources, self.flags = name, [Path(s) for s in sources], list(flags)

    def is_cpp(self):
        return any(s.suffix == ".cpp" for s in self.sources)

    def build(self, folder, compiler, *flags):
        """Compiles and runs it in `folder`; True = it did."""
        for source in self.sources:
            done = quietly(compiler, "-O0", "-g", "-w", *flags, *self.flags, "-c", source, "-o", f"{source.stem}.o", cwd=folder)
            if done.returncode:
                print(done.stderr.decode()[-500:])
                return False
        done = quietly(compiler, *flags, *[f"{s.stem}.o" for s in self.sources], "-lm", "-o", "program", cwd=folder)
        if done.returncode == 0:
            quietly("./program", cwd=folder, LLVM_PROFILE_FILE=str(folder / "raw"))
        return done.returncode == 0


def programs():
    yield Program("branches", [PROGRAMS / "branches.c", PROGRAMS / "other.c"])
    yield Program("templates", [PROGRAMS / "templates.cpp"])
    given = os.environ.get("ASSAY_PEER_SOURCES")
    for folder in sorted(p.resolve() for p in Path(given).iterdir()) if given else ():
        if (folder / "zlib.h").exists():
            skip = {"minigzip.c", "infcover.c"}
            yield Program("zlib", [s for s in folder.glob("*.c") if s.name not in skip] + [folder / "test" / "example.c"], [f"-I{folder}", "-DHAVE_UNISTD_H"])
        elif (folder / "cJSON.h").exists():
            yield Program("cJSON", [folder / "cJSON.c", folder / "test.c"])
        elif (folder / "src" / "pugixml.cpp").exists():
            tests = [folder / "tests" / f"{n}.cpp" for n in ("main", "allocator", "test", "writer_string", "test_document", "test_parse", "test_xpath")]
            yield Program("pugixml", [folder / "src" / "pugixml.cpp"] + tests)


def with_llvm(tally, program, folder):
    """llvm-cov's JSON, read by us, against its lcov export; what both summaries state."""
    compiler = "clang++-14" if program.is_cpp() else "clang-14"
    label = f"llvm-cov, {program.name}"
    if not has(tally, label, compiler, "llvm-cov-14", "llvm-profdata-14"):
        return
    flags = ("-fprofile-instr-generate", "-fcoverage-mapping")
    if not tally.check(program.build(folder, compiler, *flags), f"{label}: is built"):
        return
    quietly("llvm-profdata-14", "merge", "raw", "-o", "merged", cwd=folder)
    for name, options in (("all.json", ()), ("all.info", ("-format=lcov",)), ("summary.json", ("-summary-only",))):
        (folder / name).write_bytes(quietly("llvm-cov-14", "export", "program", "-instr-profile=merged", *options, cwd=folder).stdout)
    compare(tally, ours(tally, folder / "all.json", label), lcov_rows(folder / "all.info"), label)
    stated = json.loads((folder / "summary.json").read_text())["data"][0]["files"]
    rows = {row["name"]: row for row in json.loads(assay("top", "--json", "--limit", "0", folder / "summary.json").stdout)["rows"]}
    for file in stated:
        got = rows.get(file["filename"], {})
        for kind in ("lines", "functions", "branches"):
            want = file["summary"][kind]
            tally.equal((got.get(kind + "_hit"), got.get(kind)), (want["covered"], want["count"]), f"{label}: stated {kind} of {file['filename']}")


def with_gcc(tally, program, folder):
    """gcov's JSON of all units, merged by us, against geninfo; gcovr's JSON against its own XML and CSV."""
    compiler = "g++" if program.is_cpp() else "gcc"
    label = f"lcov, {program.name}"
    if not has(tally, label, compiler, "gcov"):
        return
    if not tally.check(program.build(folder, compiler, "--coverage"), f"{label}: is built"):
        return
    if has(tally, label, "lcov"):
        quietly("lcov", "-q", "-c", "-d", ".", "--rc", "lcov_branch_coverage=1", "--rc", "geninfo_external=1", "-o", "geninfo.info", cwd=folder)
        theirs = lcov_rows(folder / "geninfo.info")
        compare(tally, ours(tally, folder / "geninfo.info", label), theirs, f"{label}, its tracefile")
        quietly("gcov", "-j", "-b", "-c", *[f"{s.stem}.gcda" for s in program.sources], cwd=folder)
        result = assay("merge", *sorted(folder.glob("*.gcov.json.gz")), "--to", "assay-json", "-o", folder / "merged.json")
        if tally.check(result.returncode == 0, f"{label}: units are merged", said(result)):
            # lcov gives branches of the instances of a template the same number, gcov does not: there they are more.
            kinds = ("lines",) if program.is_cpp() else ("lines", "branches")
            compare(tally, relative_to(ours(tally, folder / "merged.json", label), folder), theirs, f"{label}, gcov's JSON", kinds)
    if has(tally, f"gcovr, {program.name}", "gcovr"):
        with_gcovr(tally, program, folder)


def relative_to(rows, folder):
    """gcov writes paths below the folder that it ran in without it."""
    for table in (rows.lines, rows.branches, rows.functions):
        for name in list(table):
            table[os.path.normpath(folder / name)] = table.pop(name)
    return rows


def with_gcovr(tally, program, folder):
    label = f"gcovr, {program.name}"
    root = os.path.commonpath([s.parent for s in program.sources])
    quietly("gcovr", "-r", root, "--object-directory", folder, folder, "--json", "gcovr.json", "--xml", "gcovr.xml", "--csv", "gcovr.csv", cwd=folder)
    got = ours(tally, folder / "gcovr.json", label)
    want = cobertura_rows(folder / "gcovr.xml")
    compare(tally, got, want, label, ("lines", "branches"))
    rows = {row["name"]: row for row in json.loads(assay("top", "--json", "--limit", "0", folder / "gcovr.json").stdout)["rows"]}
    with open(folder / "gcovr.csv", newline="") as file:
        for line in csv.DictReader(file):
            row = rows.get(line["filename"], {})
            for ours_of, theirs_of in (("lines", "line"), ("branches", "branch"), ("functions", "function")):
                pair = (row.get(ours_of + "_hit"), row.get(ours_of))
                tally.equal(pair, (int(line[theirs_of + "_covered"]), int(line[theirs_of + "_total"])), f"{label}: {ours_of} of {line['filename']}")


# ---- Python, JavaScript, Go ----

def with_coverage_py(tally, folder):
    tool = next((t for t in ("python3-coverage", "coverage") if shutil.which(t)), None)
    if not tool:
        return tally.skip("coverage.py", "there is no python3-coverage")
    shutil.copy(PROGRAMS / "stock.py", folder)
    quietly(tool, "run", "--branch", "stock.py", cwd=folder)
    for kind in ("json", "xml", "lcov"):
        quietly(tool, kind, "-o", f"out.{kind}", cwd=folder)
    want = cobertura_rows(folder / "out.xml", str(folder))
    compare(tally, ours(tally, folder / "out.xml", "coverage.py"), want, "coverage.py, its XML", ("lines", "branches"), base=True)
    for name, file in json.loads((folder / "out.json").read_text())["files"].items():
        ours_of = ours(tally, folder / "out.json", "coverage.py")
        missed = sorted(line for line, hits in ours_of.lines[name].items() if not hits)
        tally.equal(missed, file["missing_lines"], f"coverage.py: missing lines of {name}")
        executed = set(file["executed_lines"]) - set(file["excluded_lines"])
        tally.equal(sorted(line for line, hits in ours_of.lines[name].items() if hits), sorted(executed), f"coverage.py: executed lines of {name}")
        row = json.loads(assay("top", "--json", folder / "out.xml").stdout)["rows"][0]
        want = file["summary"]
        tally.equal((row["lines_hit"], row["lines"]), (want["covered_lines"], want["num_statements"]), f"coverage.py: statements of {name}")
        tally.equal((row["branches_hit"], row["branches"]), (want["covered_branches"], want["num_branches"]), f"coverage.py: branches of {name}")


def with_node(tally, tool, folder):
    command = NODE / tool
    if not shutil.which("node") or not command.exists():
        return tally.skip(tool, "it is not installed; ./dev test does that")
    shutil.copy(PROGRAMS / "cart.js", folder)
    quietly(command, "--reporter=json", "--reporter=json-summary", "--reporter=lcovonly", "node", "cart.js", cwd=folder)
    reports = folder / "coverage"
    got, want = ours(tally, reports / "coverage-final.json", tool), lcov_rows(reports / "lcov.info")
    compare(tally, got, want, tool, ("lines",), base=True)
    # Its lcov reporter puts every path of a branch at the line of the branch, assay each where it is: the sums are the same.
    for table in (got.branches, want.branches):
        for name, lines in table.items():
            table[name] = {"all": tuple(map(sum, zip(*lines.values())))}
    compare(tally, got, want, tool, ("branches",), base=True)
    rows = json.loads(assay("top", "--json", reports / "coverage-final.json").stdout)["rows"]
    stated = json.loads(assay("top", "--json", reports / "coverage-summary.json").stdout)["rows"]
    summary = json.loads((reports / "coverage-summary.json").read_text())
    for label, row in (("counted", rows[0]), ("stated", stated[0])):
        for kind in ("lines", "functions", "branches"):
            want = summary[row["name"]][kind]
            tally.equal((row[kind + "_hit"], row[kind]), (want["covered"], want["total"]), f"{tool}: {kind}, {label}")


def go_rows(text):
    """(path, first line, statements, count) of each block of a profile."""
    for line in text.splitlines()[1:]:
        place, statements, count = line.rsplit(" ", 2)
        path, _, rest = place.rpartition(":")
        yield path, int(rest.split(".")[0]), int(statements), int(count)


def compare_go(tally, folder, env, *package):
    """Every function that `go tool cover -func` lists, from the blocks that went through assay's model."""
    quietly("go", "test", "-covermode=count", "-coverprofile=out.cov", *package, cwd=folder, **env)
    shown = quietly("go", "tool", "cover", "-func=out.cov", cwd=folder, **env).stdout.decode()
    listed = re.findall(r"^(\S+):(\d+):\s+(\S+)\s+([\d.]+)%$", shown, re.M)
    total = re.search(r"total:\s+\S+\s+([\d.]+)%", shown)
    counts = json.loads(assay("info", "--json", folder / "out.cov").stdout)["files"][0]["counts"]
    share = f"{100 * counts['statements_hit'] / counts['statements']:.1f}"
    tally.equal(share, total and total.group(1), f"go tool cover {package[0]}: share of statements")
    assay("convert", folder / "out.cov", "--to", "go-cover", "-o", folder / "again.cov")
    begins, sums = {}, {}
    for path, line, _, _ in listed:
        begins.setdefault(path, []).append(int(line))
    for path, line, statements, count in go_rows((folder / "again.cov").read_text()):
        first = max((n for n in begins.get(path, []) if n <= line), default=None)
        row = sums.setdefault((path, first), [0, 0])
        row[0] += statements if count else 0
        row[1] += statements
    for path, line, name, percent in listed:
        hit, all_of_it = sums.get((path, int(line)), (0, 0))
        tally.equal(f"{100 * hit / all_of_it if all_of_it else 0:.1f}", percent, f"go tool cover {path}:{line} {name}")


def with_go(tally, folder):
    if not has(tally, "go tool cover", "go"):
        return
    env = {"GOFLAGS": "-mod=mod", "HOME": str(folder), "GOCACHE": str(folder / "cache")}
    (folder / "go.mod").write_text("module example.com/peer\n\ngo 1.19\n")
    (folder / "a.go").write_text("package peer\n\nfunc Sign(n int) int {\n\tif n < 0 {\n\t\treturn -1\n\t}\n\treturn 1\n}\n\nfunc Never() int { return 3 }\n")
    (folder / "a_test.go").write_text('package peer\n\nimport "testing"\n\nfunc TestSign(t *testing.T) {\n\tif Sign(2) != 1 {\n\t\tt.Fail()\n\t}\n}\n')
    compare_go(tally, folder, env, ".")
    if LARGE:
        compare_go(tally, folder, env, "encoding/json")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as top:
        def folder(name):
            path = Path(top) / name
            path.mkdir()
            return path.resolve()

        for program in programs():
            with_llvm(tally, program, folder(f"llvm-{program.name}"))
            with_gcc(tally, program, folder(f"gcc-{program.name}"))
        with_coverage_py(tally, folder("python"))
        for tool in ("nyc", "c8"):
            with_node(tally, tool, folder(tool))
        with_go(tally, folder("go"))
    tally.finish()


main()
