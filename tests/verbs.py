#!/usr/bin/env python3
"""Every verb but `cov` is a few lines on the public interface: examples/verbs print what the command prints.
   verbs.py EXAMPLE..."""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import FIXTURES as DATA, SOURCE, Tally, assay, run  # noqa: E402

PROFILE, OTHER, COVERAGE, STACKS = (DATA / name for name in ("demo.callgrind", "demo-cache.callgrind", "demo.info", "demo.folded"))
DAMAGED, CHANGE = DATA / "killed.nytprof", "--- a/demo.c\n+++ b/demo.c\n@@ -5,1 +5,3 @@\n a\n+b\n+c\n"
REPORTS = [
    ["info", PROFILE], ["info", "--json", PROFILE, COVERAGE], ["info", "--brief", "--sort=total", PROFILE, OTHER], ["check", PROFILE, DAMAGED],
    ["check", "--json", DAMAGED], ["top", PROFILE], ["top", "--json", PROFILE, COVERAGE], ["top", "--csv", "--limit=0", PROFILE],
    ["top", "--markdown", "--by=file", PROFILE], ["top", "--fail-under=99", COVERAGE], ["top", "--cycles", PROFILE], ["top", DAMAGED],
    ["tree", STACKS], ["tree", "--flat", "--json", PROFILE], ["tree", "--bottom-up", "--csv", STACKS], ["callers", "main", PROFILE],
    ["callers", "--json", ".*", STACKS], ["annotate", COVERAGE], ["annotate", "--json", PROFILE, COVERAGE], ["flame", STACKS], ["flame", "--text", PROFILE],
    ["flame", "--diff", STACKS, STACKS], ["timeline", "--svg", DATA / "demo.xdebug"], ["timeline", "--json", DATA / "demo.xdebug"],
    ["diff", PROFILE, OTHER], ["diff", "--json", COVERAGE, DATA / "demo-2x.info"], ["formats"], ["formats", "--losses", "callgrind", "webgrind"],
]


def compare(tally, label, mine, its):
    tally.check((mine.stdout, mine.stderr) == (its.stdout, its.stderr), f"{label}: the same output", mine.stdout[-400:], mine.stderr, its.stderr)
    tally.check(min(mine.returncode, 2) == min(its.returncode, 2), f"{label}: the same answer", mine.returncode, its.returncode)


def main():
    tally = Tally()
    example = {Path(p).name.removeprefix("verb-"): p for p in sys.argv[1:]}
    for args in REPORTS:
        compare(tally, " ".join(Path(str(a)).name for a in args), run(example["report"], *args), assay(*args))
    with tempfile.TemporaryDirectory() as tmp:
        diff, a, b = Path(tmp, "change.diff"), Path(tmp, "a"), Path(tmp, "b")
        diff.write_text(CHANGE)
        compare(tally, "patch", run(example["report"], "patch", f"--diff={diff}", "--json", COVERAGE), assay("patch", f"--diff={diff}", "--json", COVERAGE))
        compare(tally, "dump", run(example["dump"], PROFILE), assay("dump", PROFILE))
        for to, inputs in (("webgrind", [PROFILE]), ("lcov", [COVERAGE]), ("csv", [STACKS])):
            compare(tally, f"convert to {to}", run(example["convert"], to, *inputs, a), assay("convert", "--to", to, *inputs, "-o", b))
            tally.check(a.read_bytes() == b.read_bytes(), f"convert to {to}: the same bytes")
        for to, inputs in (("lcov", [COVERAGE, DATA / "demo-2x.info"]), ("callgrind", [PROFILE, OTHER])):
            run(example["merge"], to, a, *inputs)
            assay("merge", "--to", to, "-o", b, *inputs)
            tally.check(a.read_bytes() == b.read_bytes(), f"merge to {to}: the same bytes")
    for name in ("top", "flame"):
        theirs, mine = " ".join(assay("help", name).stdout.decode().split()), run(example["help"], name).stdout.decode()
        for line in filter(None, (" ".join(text.split()) for text in mine.splitlines())):
            tally.check(line.removeprefix("usage: ") in theirs, f"help {name}: {line[:40]}")
    for path in sorted((SOURCE / "examples" / "verbs").glob("*.c")):
        code = path.read_text(encoding="utf-8")
        tally.check(code.count("\n") <= 60 and '#include "' not in code, f"{path.name}: at most 60 lines, public headers only", code.count("\n"))
    tally.finish()


if __name__ == "__main__":
    main()
