#!/usr/bin/env python3
"""The installed package: install into a folder, build the examples against it by pkg-config, and run them with the library that lies there.

  package.py BUILD_FOLDER
"""
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import FIXTURES, SOURCE, Tally, run, said  # noqa: E402

WARNINGS = ["-std=c17", "-Wall", "-Wextra", "-Werror"]


def install(tally, build, stage):
    env = {**os.environ, "DESTDIR": str(stage)}
    result = run("meson", "install", "-C", build, "--no-rebuild", env=env)
    return tally.check(result.returncode == 0, "meson install", said(result), result.stdout.decode()[-800:])


def flags(tally, prefix, pc, *kind):
    """Without any other package: those that assay is built from need no -dev package to use it."""
    env = {**os.environ, "PKG_CONFIG_LIBDIR": str(pc.parent)}
    result = run("pkg-config", f"--define-variable=prefix={prefix}", *kind, "--cflags", "--libs", "assay", env=env)
    tally.check(result.returncode == 0, f"pkg-config {' '.join(kind)} --cflags --libs assay", said(result))
    return result.stdout.decode().split()


def build_static(tally, options, library, tmp):
    program = Path(tmp) / "static"
    options = [str(library / "libassay.a") if option == "-lassay" else option for option in options]
    result = run("gcc", *WARNINGS, "-o", program, SOURCE / "examples" / "hot.c", *options)
    if tally.check(result.returncode == 0, "hot.c: builds with the static library", said(result)):
        result = run(program, FIXTURES / "demo.callgrind")
        tally.check(result.returncode == 0, "hot.c: runs with the static library", said(result))


def build_examples(tally, options, tmp):
    """The programs that were built, by name."""
    built = {}
    for source in sorted((SOURCE / "examples").glob("*.c")):
        program = Path(tmp) / source.stem
        result = run("gcc", *WARNINGS, "-o", program, source, *options)
        if tally.check(result.returncode == 0, f"{source.name}: builds against the installed package", said(result)):
            built[source.stem] = program
    return built


def run_example(tally, programs, name, library, *args):
    """What it prints; None when it fails."""
    if name not in programs:
        return None
    result = run(programs[name], *args, env={**os.environ, "LD_LIBRARY_PATH": str(library)})
    return result.stdout.decode() if tally.check(result.returncode == 0, f"{name}: runs", said(result), result.stdout.decode()[-500:]) else None


def run_simple(tally, programs, library, tmp):
    """Those that take one profile."""
    for name in programs.keys() - {"history", "make", "many", "untested"}:
        profile = Path(tmp) / "profile"  # a copy: an example may write what it is given
        shutil.copyfile(FIXTURES / "demo.callgrind", profile)
        said_so = run_example(tally, programs, name, library, profile)
        if name == "callers" and said_so is not None:
            tally.check("is_prime\n           80.1%  from count_primes, line 18" in said_so, "callers: names the caller and the line", said_so)
        if name == "stacks" and said_so is not None:
            folded = run(os.environ["ASSAY"], "convert", FIXTURES / "demo.callgrind", "--to", "folded", "-o", "-").stdout.decode()
            tally.equal(sorted(said_so.splitlines()), sorted(folded.splitlines()), "stacks: those of the command")


def made(tally, programs, library, tmp):
    """make.c: the figures that it put in come out of each of the three files."""
    if run_example(tally, programs, "make", library, Path(tmp) / "made") is None:
        return
    for extension, unit in {"webgrind": 1000, "hpcdb": 1}.items():
        top = json.loads(run(os.environ["ASSAY"], "top", "--json", Path(tmp) / f"made.{extension}").stdout)
        costs = {row["name"]: [list(row[kind].values())[0] * unit for kind in ("self", "total")] for row in top["rows"]}
        tally.equal((costs.get("main"), costs.get("work")), ([2000, 32000], [30000, 30000]), f"make: cost in {extension}")
    text = (Path(tmp) / "made.info").read_text()
    tally.check(all(line in text for line in ("SF:/src/demo.c", "FNDA:3,work", "DA:12,0", "LH:4", "LF:5")), "make: the lcov report", text)


def merged(tally, programs, library, tmp):
    """many.c: a thousand times one file costs a thousand times as much."""
    folder = Path(tmp) / "many.d"
    folder.mkdir()
    first = folder / "0"
    shutil.copyfile(FIXTURES / "demo.callgrind", first)
    for i in range(1, 1000):
        os.link(first, folder / str(i))
    one = run_example(tally, programs, "many", library, first)
    all_of_them = run_example(tally, programs, "many", library, *sorted(folder.iterdir()))
    if one is None or all_of_them is None:
        return
    tally.equal(all_of_them.splitlines()[0], "1000 files merged, 0 failed", "many: a thousand files")
    tops = [{name: int(cost) for cost, name in (line.split() for line in text.splitlines()[1:])} for text in (one, all_of_them)]
    tally.equal(tops[1], {name: 1000 * cost for name, cost in tops[0].items()}, "many: a thousand times the cost")


def untested(tally, programs, library, tmp):
    report = Path(tmp) / "report.info"
    report.write_text("SF:demo/demo.c\nDA:10,0\nDA:11,4\nDA:18,1\nBRDA:11,0,0,1\nBRDA:11,0,1,0\nend_of_record\n")
    text = run_example(tally, programs, "untested", library, FIXTURES / "demo.callgrind", report)
    if text is not None:
        found = [line.split()[1:3] for line in text.splitlines()]
        tally.equal(found, [["missed", "/tmp/demo/demo.c:10"], ["partial", "/tmp/demo/demo.c:11"]], "untested: lines that no test executes")


def history(tally, programs, library, tmp):
    """history.c: makes a store, imports into it, and lists what is there."""
    if "history" not in programs or not shutil.which("git"):
        return
    tree = Path(tmp) / "tree"
    tree.mkdir()
    (tree / "a.c").write_text("1\n2\n3\n4\n")
    (tree / "report.info").write_text("SF:a.c\nDA:1,2\nDA:2,0\nDA:3,1\nDA:4,1\nend_of_record\n")
    git = ["git", "-C", tree, "-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    for words in (["init", "-q"], ["add", "a.c"], ["commit", "-q", "-m", "first"]):
        tally.check(run(*git, *words).returncode == 0, f"git {words[0]}")
    commit = run(*git, "rev-parse", "HEAD").stdout.decode()[:9]
    env = {**os.environ, "LD_LIBRARY_PATH": str(library)}
    result = run(programs["history"], "report.info", env=env, cwd=tree)
    tally.equal(result.stdout.decode(), f"stored: 1 files\n{commit}   75.00%  3 of 4 lines\n", "history: stores a report and lists it")


def installed_pages(tally, stage):
    pages = {p.name for p in stage.rglob("man3/*.3")}
    tally.check({"libassay.3", "assay_top.3", "assay_annotate.3", "assay_model.3", "assay_store.3"} <= pages, "man pages of the headers are installed", sorted(pages))


def python_package(tally, stage):
    """The installed package finds the installed library by itself."""
    found = list(stage.rglob("assay/__init__.py"))
    if not tally.equal(len(found), 1, "the Python package is installed"):
        return
    env = {k: v for k, v in os.environ.items() if k != "ASSAY_LIBRARY"} | {"PYTHONPATH": str(found[0].parents[1])}
    code = "import assay, sys; p = assay.read(sys.argv[1]); print(assay._library.lib._loaded._name, p.top()['name'][0], p.metrics[0].total)"
    result = run(sys.executable, "-c", code, FIXTURES / "demo.callgrind", env=env)
    said_so = result.stdout.decode().split()
    tally.check(said_so[1:] == ["is_prime", "34701"] and said_so[0].startswith(str(stage)), "the installed Python package runs with the installed library", said(result), said_so)
    tally.check((found[0].parent / "py.typed").exists(), "py.typed is installed")


def documented(tally):
    """The programs in the guide are the files."""
    page = (SOURCE / "docs" / "library.md").read_text()
    blocks = re.findall(r"^```c\n(.*?)^```$", page, re.M | re.S)
    tally.equal(len(blocks), 6, "docs/library.md has six programs")
    names = re.findall(r"^\[examples/(\w+\.c)\]", page, re.M)
    for name, block in zip(names, blocks):
        tally.check(block == (SOURCE / "examples" / name).read_text(), f"docs/library.md shows examples/{name} as it is")


def installed_command(tally, prefix, library):
    env = {**os.environ, "LD_LIBRARY_PATH": str(library)}
    result = run(prefix / "bin" / "assay", "--version", env=env)
    tally.check(result.returncode == 0 and b"assay" in result.stdout, "the installed command runs", said(result))


def main():
    tally = Tally()
    build = sys.argv[1]
    documented(tally)
    with tempfile.TemporaryDirectory() as tmp:
        stage = Path(tmp) / "stage"
        if install(tally, build, stage):
            configs = list(stage.rglob("assay.pc"))
            if tally.equal(len(configs), 1, "one assay.pc is installed"):
                library = configs[0].parents[1]
                header = next(stage.rglob("assay/assay.h"))
                prefix = header.parents[2]
                options = flags(tally, prefix, configs[0])
                tally.check(f"-I{prefix}/include" in options, "pkg-config names the installed headers", options)
                programs = build_examples(tally, options, tmp)
                for check in (run_simple, made, merged, untested, history):
                    check(tally, programs, library, tmp)
                build_static(tally, flags(tally, prefix, configs[0], "--static"), library, tmp)
                installed_command(tally, prefix, library)
                installed_pages(tally, stage)
                python_package(tally, stage)
    tally.finish()


if __name__ == "__main__":
    main()
