#!/usr/bin/env python3
"""What `diff` makes of profiles.

  diff.py DIFF_FACTS

No sample differs from itself, by function, line or calling context. A slowdown of 5 % that was planted into a program, run under callgrind, is found by
the gate, which names the function and the line; the same program built twice passes. Missing tools and shared data are skipped.
"""
import json
import re
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, run, said  # noqa: E402

AREAS = ("callgrind", "webgrind", "nytprof", "hpcrun", "exchange")
NO_PROFILES = (".json", ".md", ".py", ".txt", ".html", ".c", ".h", ".cpp", ".php", ".pl", ".pm")
LARGEST = 3_000_000
# Most of the work is in hot(): ROUNDS more rounds make it cost so much more.
PROGRAM = """\
static volatile unsigned sink;
static void hot(void)
{
    for (int i = 0; i < ROUNDS; i++)
        sink = sink * 31u + 7u;
}
static void cold(void)
{
    for (int i = 0; i < 4000; i++)
        sink += 3u;
}
int main(void)
{
    hot();
    cold();
    return 0;
}
"""
HOT_LINES = (4, 5)


def check_itself(tally, program, folder):
    paths = [p for p in FIXTURES.iterdir()]
    for area in AREAS:
        paths += [p for p in (SHARED / "data" / area).rglob("*") if p.is_file() and p.suffix not in NO_PROFILES and p.stat().st_size < LARGEST]
    for archive in (SHARED / "data" / "hpcdb").glob("*.tar.gz"):
        if archive.stat().st_size < 300_000 and not archive.name.startswith("bad-"):
            with tarfile.open(archive) as tar:
                tar.extractall(folder)
            paths.append(folder / archive.name.split(".")[0])
    result = run(program, *sorted(paths))
    lines = result.stdout.decode("utf-8", "replace").split("\n")
    counts = [int(n) for n in re.findall(r"\d+", lines[-2])] if len(lines) > 1 else [0, 1, 0]
    print("\n".join(lines[:-2]))
    tally.add(counts[0], counts[1])
    print(f"({counts[2]} of {3 * len(paths)} say nothing of the kind)")
    tally.check(result.returncode == (1 if counts[1] else 0), "diff_facts", said(result))


def measure(work, name, rounds):
    """A build in a folder of its own."""
    folder = work / name
    folder.mkdir()
    (folder / "p.c").write_text(PROGRAM)
    run("gcc", "-g", "-O1", "-fno-inline", f"-DROUNDS={rounds}", "-o", "p", folder / "p.c", cwd=folder, check=True)
    run("valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=out", "./p", cwd=folder, check=True)
    return folder / "out"


def check_slowdown(tally, work):
    if not all(shutil.which(t) for t in ("valgrind", "gcc")):
        tally.skip("a planted slowdown", "valgrind or gcc is not installed")
        return
    before, slow, again = (measure(work, n, r) for n, r in (("before", 40000), ("slow", 42000), ("again", 40000)))
    for by, named in (("function", ["hot in "]), ("line", [f"p.c:{n} costs more: +" for n in HOT_LINES])):
        gate = ("--by", by, "--fail-above", "2%", "--limit", "0", "--json")
        result = assay("diff", before, slow, *gate)
        text = result.stderr.decode()
        tally.equal(result.returncode, 1, f"by {by}: 5 % more is too much")
        tally.check(all(n in text for n in named) and ("costs more: +5.0" in text or "costs more: +4.9" in text), f"by {by}: the gate says what and how much", text)
        tally.check("cold" not in text, f"by {by}: it names nothing else", text)
        report = json.loads(result.stdout)
        first = report["rows"][0]
        tally.check(first["name"] == "hot" or first["line"] in HOT_LINES, f"by {by}: the largest change comes first", first)
        tally.check(not report["gate"]["ok"], f"by {by}: the report says so too")
        result = assay("diff", before, again, *gate)
        tally.check(result.returncode == 0 and not result.stderr, f"by {by}: the same program passes", said(result))


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="assay-diff-") as folder:
        if has_shared():
            check_itself(tally, sys.argv[1], Path(folder))
        else:
            tally.skip("samples", "no shared data")
        check_slowdown(tally, Path(folder))
    tally.finish()


if __name__ == "__main__":
    main()
