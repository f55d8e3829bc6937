#!/usr/bin/env python3
"""What is printed and written is the same bytes with one thread and with several. The inputs are cut into tiny pieces, so that small samples have many.
   threads.py --all: every verb on every sample with 1, 2, 3 and 8 threads, in place of some verbs on fixtures with 1 and 3."""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import FIXTURES, SHARED, Tally, assay, has_shared, said  # noqa: E402

ALL = "--all" in sys.argv[1:]
THREADS = (2, 3, 8) if ALL else (3,)
PIECES = ("16", "400", "6000") if ALL else ("16", "400")
SHORT_VERBS = (["info", "--json"], ["top", "--json", "--limit", "0"])
LONG_VERBS = (["check", "--json"], ["dump"], ["info", "--json", "--strict"], ["tree", "--estimate", "--json"], ["flame", "--estimate"],
              ["callers", "main", "--json"], ["annotate", "--json"], ["timeline", "--json"], ["diff", "--json"])
TARGETS = ("assay-json", "webgrind:7", "webgrind:4", "lcov", "callgrind", "folded")
AREAS = ("callgrind", "coverage", "exchange", "webgrind", "nytprof", "hpcrun")
SIZE_MOST = 400_000
READ_AHEAD = (".callgrind", ".xdebug", ".cachegrind", ".info", ".folded", ".perf-script")  # formats of which pieces are made


def samples():
    for path in sorted(FIXTURES.iterdir()):
        if path.is_file() and path.suffix not in (".c", ".sh", ".md") and (ALL or any(end in path.name for end in READ_AHEAD)):
            yield path
    if has_shared() and (ALL or os.environ.get("ASSAY_STANDBY_MODULE")):  # not where each run starts anew, as under sanitizers
        for path in sorted(p for area in AREAS for p in (SHARED / "data" / area).rglob("*")):
            wanted = ALL or path.name.endswith(READ_AHEAD)
            if path.is_file() and wanted and path.stat().st_size < SIZE_MOST and path.suffix not in (".md", ".py"):
                yield path


def runs(path):
    for verb in SHORT_VERBS + (LONG_VERBS if ALL else ()):
        yield [*verb, *[path] * (2 if verb[0] == "diff" else 1)]
    for target in TARGETS if ALL else TARGETS[:2]:
        yield ["convert", path, "--to", target, "-o", "-"]
    if ALL or path.suffix == ".info":
        yield ["merge", path, path, "--to", "lcov", "-o", "-"]


def outcome(args, threads, piece):
    result = assay(*args[:1], "-j", threads, *args[1:], env={**os.environ, "ASSAY_PIECE": piece, "ASSAY_HASH_SEED": "1"})
    return (result.returncode, result.stdout, result.stderr), result


def main():
    tally = Tally()
    for path in samples():
        for args in runs(path):
            wanted, first = outcome(args, 1, PIECES[0])
            for piece in PIECES:
                for threads in THREADS:
                    got, result = outcome(args, threads, piece)
                    tally.check(got == wanted and got[0] in (0, 1, 2, 3, 4), f"-j {threads}, pieces of {piece}: {' '.join(map(str, args))}", said(first), said(result))
    tally.finish()


if __name__ == "__main__":
    main()
