#!/usr/bin/env python3
"""Marks in sources against the tools that they belong to.

Facts of the shared data: what one tool counts without marks, and with them (docs/coverage.md), is what assay counts of the first with --exclusions.
Tools on this machine: lcov captures a program with marks; coverage.py tells which lines of a source it excludes. Missing ones are skipped.
"""
import json
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared, run  # noqa: E402

COUNTS = ("lines", "lines_hit", "functions", "functions_hit", "branches", "branches_hit")
# (program, file without the marks, file of a tool that followed them, counts that both have)
PAIRS = (
    ("calc", "lcov/calc-a.grcov.info", "lcov/calc-a.gcovr8.info", COUNTS),
    ("calc", "cobertura/calc-a.grcov.xml", "cobertura/calc-a.gcovr52.xml", ("lines", "lines_hit", "branches", "branches_hit")),
    ("calc", "lcov/calc-a.lcov116.info", "lcov/calc-a.gcovr8.info", COUNTS),
    ("inventory", "lcov/inventory-a.coveragepy65.info", "coveragepy/inventory-a.json", ("lines", "lines_hit")),
)

C_SOURCE = """\
#include <stdio.h>
#include <stdlib.h>
/* LCOV_EXCL_START */
static void never(void)
{
    puts("never");
}
/* LCOV_EXCL_STOP */
static int twice(int a) { if (a > 9) return 0; /* LCOV_EXCL_BR_LINE */ return a * 2; }
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < argc; i++) {
        if (argc > 7) { /* LCOV_EXCL_BR_START */
            never();
        }
        sum += twice(i); /* LCOV_EXCL_BR_STOP */
        if (sum < 0)
            abort(); /* LCOV_EXCL_LINE */
    }
    return argv[0] == NULL;
}
"""

# With these marks gcovr 8.6 counts 8 branches, 3 of them hit; without them 10 and 4. It refuses the second mark and does not see the third.
UNHIT_SOURCE = """\
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = 0;
    if (argc > 7) /* GCOVR_EXCL_BR_WITHOUT_HIT: 1/2 */
        n++;
    if (argc > 8 && argv[1]) /* GCOVR_EXCL_BR_WITHOUT_HIT: 1/2 */
        n++;
    if (argc > 9) /* GCOVR_EXCL_BR_WITHOUT_HIT: */
        n++;
    if (argc > 6)
        n++;
    return n;
}
"""
# What gcov says of it: count and branches by line.
UNHIT_REPORT = {2: (1, ()), 4: (1, ()), 5: (1, (0, 1)), 6: (0, ()), 7: (1, (0, 1, 0, 0)), 8: (0, ()), 9: (1, (0, 1)), 10: (0, ()), 11: (1, (0, 1)), 12: (0, ()), 13: (1, ())}

PYTHON_SOURCE = '''\
"""Text: with a colon:
# pragma: no cover
"""
import os
def plain(a):
    return a
def gone(a):  # pragma: no cover
    """Text."""

    if a:
        return 1
    return 2
class Half:
    def __repr__(self):  # pragma: no cover
        return "x"
    @property  # pragma: no cover
    def name(self):
        return 1
    @staticmethod
    def kept():
        return (1,
                2)
if os.name == "x":  # pragma: no cover
    a = 1
    b = 2
elif os.name == "y":
    a = 3
else:  # PRAGMA: NO COVER
    a = [
        4]
for i in range(3):
    if i:  #pragma:no cover
        pass
    while False: pass  # pragma: no cover
    plain(i)
try:
    plain(1)
except ValueError:  # pragma: no cover
    raise
finally:
    plain(2)
plain(
    3,  # pragma: no cover
)
text = """
left: # pragma: no cover
"""
with open(os.devnull) as f:  # pragma: nothing
    f.read()
last = 1
'''


def counts(path, *options):
    result = assay("info", "--json", *options, path)
    return json.loads(result.stdout)["files"][0]["counts"] if result.returncode == 0 else {"failed": result.stderr.decode()}


def expected(path):
    return json.loads((path.parent / "expected.json").read_text(encoding="utf-8"))[path.name]["counts"]


def check_facts(tally, work):
    data = SHARED / "data" / "coverage"
    for program, plain, marked, names in PAIRS:
        with tarfile.open(data / "sources" / f"{program}.tar.gz") as archive:
            archive.extractall(work)
        got, want = counts(data / plain, "--exclusions", "--source-root", work / program), expected(data / marked)
        tally.equal({n: got.get(n) for n in names}, {n: want[n] for n in names}, f"{plain} with the marks of its sources counts as {marked}")


def check_lcov(tally, work):
    if not (shutil.which("lcov") and shutil.which("gcov") and shutil.which("gcc")):
        tally.skip("lcov", "lcov, gcov or gcc is not installed")
        return
    (work / "m.c").write_text(C_SOURCE)
    for command in (["gcc", "--coverage", "-c", "m.c"], ["gcc", "--coverage", "-o", "m", "m.o"], ["./m"], ["gcov", "-b", "--json-format", "m.gcda"],
                    ["lcov", "-q", "-c", "-d", ".", "-o", "m.info", "--rc", "lcov_branch_coverage=1"]):
        result = run(*command, cwd=work)
        if not tally.check(result.returncode == 0, " ".join(command), result.stderr.decode()):
            return
    raw = next(work.glob("*.gcov.json.gz"))
    want, plain = counts(work / "m.info"), counts(raw)
    tally.check(plain["lines"] > want["lines"] and plain["branches"] > want["branches"], "the marks make a difference", plain, want)
    got = counts(raw, "--exclusions", "--source-root", work)
    tally.equal({n: got.get(n) for n in COUNTS}, {n: want[n] for n in COUNTS}, "gcov's figures with the marks are those of lcov")


def check_unhit(tally, work):
    """Marks that only count when the figures of the line are as they say."""
    (work / "w.c").write_text(UNHIT_SOURCE)
    rows = "".join(f"BRDA:{line},0,{i},{hits}\n" for line, (_, branches) in UNHIT_REPORT.items() for i, hits in enumerate(branches))
    (work / "w.info").write_text("SF:w.c\n" + rows + "".join(f"DA:{line},{hits}\n" for line, (hits, _) in UNHIT_REPORT.items()) + "end_of_record\n")
    plain, got = counts(work / "w.info"), counts(work / "w.info", "--exclusions", "--source-root", work)
    tally.equal([plain.get(n) for n in ("branches", "branches_hit")], [10, 4], "branches without the marks")
    tally.equal([got.get(n) for n in ("lines", "lines_hit", "branches", "branches_hit")], [11, 7, 8, 3], "branches without a hit, as gcovr 8.6 counts")
    result = assay("info", "--json", "--exclusions", "--source-root", work, work / "w.info")
    tally.equal(sorted(w["rule"] for w in json.loads(result.stdout)["files"][0]["warnings"]), ["M-5", "M-6"], "a mark that does not fit is said")


def lines_left(work, name, count):
    """The lines that are left of a report with a hit for each line of a source."""
    (work / "all.info").write_text(f"SF:{name}\n" + "".join(f"DA:{i},1\n" for i in range(1, count + 1)) + "end_of_record\n")
    result = assay("convert", work / "all.info", "--to", "lcov", "--exclusions", "--source-root", work)
    return {int(line[3:].split(b",")[0]) for line in result.stdout.splitlines() if line.startswith(b"DA:")}


def check_python(tally, work):
    program = ("import sys\nfrom coverage.python import PythonParser\n"
               "p = PythonParser(filename=sys.argv[1], exclude=r'#\\s*(pragma|PRAGMA)[:\\s]?\\s*(no|NO)\\s*(cover|COVER)')\n"
               "p.parse_source()\nprint(*sorted(p.statements))\nprint(*sorted(p.first_lines(p.raw_statements)))\n")
    (work / "m.py").write_text(PYTHON_SOURCE)
    result = run("/usr/bin/python3", "-c", program, work / "m.py")
    if result.returncode != 0:
        tally.skip("coverage.py", "it is not installed, or is of another version")
        return
    kept, all_lines = ({int(n) for n in line.split()} for line in result.stdout.decode().split("\n")[:2])
    left = lines_left(work, "m.py", PYTHON_SOURCE.count("\n"))
    tally.equal(sorted(left & all_lines), sorted(kept & all_lines), "the statements that coverage.py keeps are those that are left")
    tally.check(len(all_lines) > len(kept) > 15, "some are left and some are not")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="assay-marks-") as folder:
        if has_shared():
            check_facts(tally, Path(folder))
        else:
            tally.skip("facts", "no shared data")
        check_lcov(tally, Path(folder))
        check_unhit(tally, Path(folder))
        check_python(tally, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
