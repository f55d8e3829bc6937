#!/usr/bin/env python3
"""Hashes are seeded anew in each process: whatever the seed, the output is the same bytes."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import FIXTURES, SOURCE, Tally, assay, said  # noqa: E402

SEEDS = range(10)
VERBS = (["info", "--json"], ["top", "--json"], ["tree", "--estimate", "--json"])
TARGETS = ("callgrind", "webgrind:7", "dot", "lcov", "assay-json")
SHAPES = ("chain", "ring", "grid", "star", "homes", "files", "streams", "labels", "names")
SHAPE_VERBS = (["top", "--json", "--limit", "0"], ["tree", "--estimate", "--json"], ["callers", "f3", "--json"], ["diff", "--json"])
SHAPE_TARGETS = ("callgrind", "webgrind:7", "dot", "lcov", "cobertura", "assay-json")


def runs(tmp):
    for path in sorted(FIXTURES.iterdir()):
        if path.suffix not in (".c", ".sh", ".md"):
            yield from ([*verb, path] for verb in VERBS)
            yield from (["convert", path, "--to", target, "-o", "-"] for target in TARGETS)
    for shape in SHAPES:
        path = tmp / shape
        with open(path, "wb") as file:
            subprocess.run([sys.executable, SOURCE / "bench" / "make_shapes.py", "--style", shape, "--mb", "0.05"], stdout=file, check=True)
        yield from ([*verb, *[path] * (2 if verb[0] == "diff" else 1)] for verb in SHAPE_VERBS)
        yield from (["convert", path, "--to", target, "-o", "-"] for target in SHAPE_TARGETS)
        yield ["merge", path, path, "-o", "-", "--to", "lcov" if shape in ("files", "labels") else "callgrind"]


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        for args in runs(Path(tmp)):
            first = assay(*args, env={**os.environ, "ASSAY_HASH_SEED": "0"})
            seeds = SEEDS[1:] if first.stdout else ()  # what is refused is refused whatever the seed
            others = [assay(*args, env={**os.environ, "ASSAY_HASH_SEED": str(seed)}) for seed in seeds]
            same = all((r.returncode, r.stdout, r.stderr) == (first.returncode, first.stdout, first.stderr) for r in others)
            tally.check(same and first.returncode in (0, 1, 2, 3, 4), " ".join(map(str, args)), *map(said, [first, *others]))
    tally.finish()


if __name__ == "__main__":
    main()
