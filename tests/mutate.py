#!/usr/bin/env python3
"""Mutation testing: plants one small mistake at a time into a copy of the sources, and sees whether a test fails.

  mutate.py [--count N] [--seed N] [--minutes N] [--only GLOB] [--line FILE:LINE] [--list] [--all-tests]

Lines are drawn from all of src by the seed; a mistake is a condition negated, < for <=, == for !=, && for ||, a + 1 dropped, a constant one too large, or a
statement left out. Each mutant is built in build-mutate (a copy of the repository and a build of its own, so that the sources stay as they are), and the tests that
concern it run, the quickest first: test programs of the module or format, scripts of the format, then the command tests; with --all-tests also the other scripts. The first
that fails kills the mutant. At the end a table: module, mutants, killed, survived, not built. docs/testing.md tells what survivors mean.
"""
import argparse
import fnmatch
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
WORK = HERE / "build-mutate"
TREE = WORK / "tree"
BUILD = WORK / "build"
PARTS = ("src", "include", "tests", "docs", "man", "examples", "bench", "meson.build", "meson_options.txt", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "dev")
TIMEOUT = 240  # seconds: a mutant that runs for ever is killed, too

SWAPS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "), (r" && ", " || "), (r" \+ 1\b", ""), (r" - 1\b", "")]
STATEMENT = re.compile(r"^\s+(?!return|break|continue|goto|case|default|TRY|FAIL|static|const|struct|enum|unsigned|bool|int|size_t|uint\w+|int\w+|char|double|assay_\w+ \**\w+ =|VEC|\})[\w.>\-\[\]]+(?:\(.*\)| [-+|&]?= .*|\+\+|--);$")


def code_lines(path):
    """(number, line) of what is inside functions, without comments, tables and the preprocessor."""
    depth, is_comment = 0, False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        was_comment = is_comment
        if "/*" in line:
            is_comment = "*/" not in line.split("/*")[-1]
        elif "*/" in line:
            is_comment = False
            continue
        if line.startswith("{"):
            depth = 1
        elif line.startswith("}"):
            depth = 0
        if depth and line.startswith(" ") and not was_comment and not line.lstrip().startswith(("/*", "*", "#", "{", "}", '"')):
            yield number, line


def mutants(line):
    """(what was done, the line with it), all that can be done to a line."""
    code = line.split("/*")[0].rstrip()
    bare = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\{ 0 \}', lambda m: "\0" * len(m[0]), code)  # texts, and what is filled before it is read
    found = []
    for pattern, by in SWAPS:
        found += [(f"'{m[0].strip()}' becomes '{by.strip()}'", code[:m.start()] + by + code[m.end():]) for m in re.finditer(pattern, bare)]
    found += [(f"{m[0]} becomes {int(m[0]) + 1}", code[:m.start()] + str(int(m[0]) + 1) + code[m.end():]) for m in re.finditer(r"(?<![\w.])\d{1,6}(?![\w.])", bare)]
    condition = re.match(r"^(\s+(?:\} else )?if )(\(.*\))( .*|)$", code)
    if condition and balanced(condition[2]):
        found.append(("condition negated", f"{condition[1]}(!{condition[2]}){condition[3]}"))
    if STATEMENT.match(code):
        found.append(("statement left out", re.match(r"\s+", code)[0] + ";"))
    return found


def balanced(text):
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and i + 1 < len(text):
            return False
    return depth == 0


def draw(args):
    """(file, line, what, text), in the order of the seed; at most one for each line."""
    if args.line:
        name, number = args.line.rsplit(":", 1)
        text = (HERE / name).read_text(encoding="utf-8").split("\n")[int(number) - 1]
        return [(name, int(number), what, new) for what, new in mutants(text)]
    rng = random.Random(args.seed)
    lines = [(p.relative_to(HERE).as_posix(), n, line) for p in sorted((HERE / "src").rglob("*.c")) for n, line in code_lines(p) if mutants(line)]
    lines = [found for found in lines if fnmatch.fnmatch(found[0], args.only)]
    chosen = rng.sample(lines, min(args.count, len(lines)))
    return [(name, number, *rng.choice(mutants(line))) for name, number, line in chosen]


# ---- building and testing ----

def sh(*command, timeout=None, **more):
    """Exit status and output; -1 = it took too long."""
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, **more)
    try:
        out = process.communicate(timeout=timeout)[0]
        return process.returncode, out.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return -1, ""


def prepare():
    TREE.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        if (HERE / part).is_dir():
            shutil.copytree(HERE / part, TREE / part, dirs_exist_ok=True, symlinks=True)
        else:
            shutil.copy2(HERE / part, TREE / part)
    if not (BUILD / "build.ninja").exists():
        rc, out = sh("meson", "setup", BUILD, TREE, "--buildtype=release", "-Dtests=true")
        if rc != 0:
            sys.exit(out)
    rc, out = sh("ninja", "-C", BUILD, "src/assay")
    if rc != 0:
        sys.exit(out[-3000:])
    return json.loads(sh("meson", "introspect", "--tests", BUILD)[1])


def include_of(name):
    """The module, as test programs include it: a part of one (x_rows.c) counts as all of it."""
    stem = Path(name).stem
    return {stem, *(stem.rsplit("_", i)[0] for i in range(1, 3))}


def concerned(name, tests):
    """Programs of the format, or programs that include a header of the module or have its name."""
    folder = Path(name).parent.name
    if name.startswith("src/formats/"):
        words = Path(name).parts[2]
        programs = [t for t in (TREE / "tests/formats").glob("*/test_*.c") if t.parent.name == words or words in ("coverage", "coarse")]
    else:
        stems = include_of(name)
        programs = [t for t in (TREE / "tests").rglob("test_*.c")
                    if t.stem[5:] in stems or folder.removesuffix("s") in t.stem or any(f"/{s}.h\"" in t.read_text(encoding="utf-8") for s in stems)]
    stems = {p.stem for p in programs}
    return [t for t in tests if Path(t["cmd"][0]).name in stems]


def scripts(name, tests, wants_all):
    """Scripts that test formats and do not take long; of the format alone, or all."""
    found = [t for t in tests if t["cmd"][0].endswith("python3") and "format" in t["suite"][0] and "long" not in "".join(t["suite"])]
    if wants_all:
        return found
    return [t for t in found if name.startswith("src/formats/") and Path(name).parts[2].split("-")[0] in t["name"]]


def command_tests(name, tests):
    """The command tests, those of the verb first."""
    test = next(t for t in tests if t["name"].endswith("cli"))
    verb = Path(name).stem.split("_")[0]
    has_own = (TREE / "tests/cli" / verb).is_dir()
    return [{**test, "cmd": [*test["cmd"], "-x", *more]} for more in ([[verb]] if has_own else []) + [[]]]


def helpers(tests):
    """Programs of the build that scripts are given."""
    return sorted({Path(c).relative_to(BUILD).as_posix() for t in tests for c in t["cmd"][1:] if c.startswith(f"{BUILD}/tests/")})


def verdict(name, tests, args):
    """What became of the mutant that is in the tree."""
    programs = concerned(name, tests)
    targets = sorted({Path(t["cmd"][0]).relative_to(BUILD).as_posix() for t in programs})
    own = scripts(name, tests, False)
    rc, out = sh("ninja", "-C", BUILD, "src/assay", "tests/standby.so", *targets, *helpers(own))
    if rc != 0:
        return "not built", ""
    for test in [*programs, *own, *command_tests(name, tests), *(scripts(name, tests, True) if args.all_tests else [])]:
        rc, out = sh(*test["cmd"], timeout=TIMEOUT, env={**os.environ, **test["env"]}, cwd=BUILD)
        if rc not in (0, 77):
            return "killed", test["name"]
    return "survived", ""


def run(args):
    tests = prepare()
    table, rows, end = Counter(), [], time.monotonic() + 60 * args.minutes
    for name, number, what, text in draw(args):
        if time.monotonic() > end:
            print(f"the time is over: {sum(table.values())} mutants")
            break
        path = TREE / name
        original = path.read_text(encoding="utf-8")
        lines = original.split("\n")
        lines[number - 1] = text
        path.write_text("\n".join(lines), encoding="utf-8")
        result, by = verdict(name, tests, args)
        path.write_text(original, encoding="utf-8")
        table[Path(name).parts[1], result] += 1
        rows.append((name, number, what, result))
        print(f"{result:9} {name}:{number}: {what}{' (' + by + ')' if by else ''}", flush=True)
    report(table)


def report(table):
    print("\n| module | mutants | killed | survived | not built |\n|---|---|---|---|---|")
    modules = sorted({module for module, _ in table})
    rows = [(m, *(table[m, r] for r in ("killed", "survived", "not built"))) for m in modules]
    rows.append(("all", *(sum(r[i] for r in rows) for i in (1, 2, 3))))
    for module, *counts in rows:
        print(f"| {module} | {sum(counts)} | {counts[0]} | {counts[1]} | {counts[2]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--only", default="*", help="files, by a pattern: 'src/base/*'")
    parser.add_argument("--line", help="all mutants of one line: src/base/sort.c:12")
    parser.add_argument("--list", action="store_true", help="show what would be planted")
    parser.add_argument("--all-tests", action="store_true", help="also the format tests in Python")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, and tests of interrupts would hang
    if args.list:
        for name, number, what, text in draw(args):
            print(f"{name}:{number}: {what}\n    {text.strip()}")
        return
    run(args)


if __name__ == "__main__":
    main()
