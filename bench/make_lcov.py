#!/usr/bin/env python3
"""lcov of a large project: a hundred files for each MB, most of them short and a few very long (log-normal, as sizes of sources are), with deep paths, mangled names and branches.

  make_lcov.py --mb 200 >out.info      20,000 files
"""
import argparse
import math
import random
import sys

FILES_PER_MB = 100
SPREAD = 1.2  # sigma of the logarithm of the lengths
BYTES_PER_LINE = 25  # of code, with all that belongs to it
LINES = 1e6 / FILES_PER_MB / BYTES_PER_LINE / math.exp(SPREAD ** 2 / 2)  # the median
AREAS = "base chrome content device media net services storage third_party ui".split()
PARTS = "browser cache codec common core events host io parser platform public renderer shared tests util".split()


def one_file(rng, i):
    area, part, other = rng.choice(AREAS), rng.choice(PARTS), rng.choice(PARTS)
    out = ["TN:\nSF:/home/builder/work/project/src/%s/%s/%s/%s_%s_%05d.%s\n" % (area, part, other, part, other, i, "h" if rng.random() < 0.4 else "cc")]
    lines = max(1, int(LINES * math.exp(rng.gauss(0, SPREAD))))
    functions, hit, branches, taken, at = [], 0, [], 0, 10
    rows = []
    for k in range(lines):
        at += 1 if rng.random() < 0.7 else rng.randint(2, 12)
        count = 0 if rng.random() < 0.25 else int(10 ** (rng.random() * 5))
        rows.append("DA:%d,%d\n" % (at, count))
        hit += count > 0
        if k % 14 == 0:
            functions.append((at, "_ZN7project%d%s%d%s10method_%04dEiPKc" % (len(area), area, len(part), part, k), count))
        if rng.random() < 0.15:
            for b in range(2):
                times = "-" if not count else "%d" % (count // (b + 1))
                taken += times not in ("-", "0")
                branches.append("BRDA:%d,0,%d,%s\n" % (at, b, times))
    out += ["FN:%d,%s\n" % f[:2] for f in functions] + ["FNDA:%d,%s\n" % (f[2], f[1]) for f in functions]
    out.append("FNF:%d\nFNH:%d\n" % (len(functions), sum(f[2] > 0 for f in functions)))
    out += branches + ["BRF:%d\nBRH:%d\n" % (len(branches), taken)] + rows
    out.append("LF:%d\nLH:%d\nend_of_record\n" % (lines, hit))
    return "".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for i in range(max(1, round(options.mb * FILES_PER_MB))):
        sys.stdout.write(one_file(rng, i))


main()
