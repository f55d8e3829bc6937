#!/usr/bin/env python3
"""How instructions and memory grow with the length of the input and with what is distinct in it: each row is one kind of input, made in several sizes, and one command.

  bench/growth.py [--only NAME] [--long] [--assay PATH]      a Markdown table; --long: 1,000 MB too, whose CPU is measured in place of instructions

`slope` is the exponent between two neighbouring sizes: instructions (CPU) beside what a small input takes, over the bytes. 1.00 is linear; the last column says how many bytes of memory
(RssAnon) the largest input took for each byte of text."""
import argparse
import fnmatch
import math
import os
import resource
import subprocess
import sys
import tempfile

import measure
import peers

BENCH = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(BENCH)
SHARED = os.path.join(os.environ.get("ASSAY_SHARED") or os.path.join(ROOT, "..", "shared"), "bench")
RUNS = 3  # of a short command, of which the best counts


def shared(script, *args):
    return [sys.executable, os.path.join(SHARED, script), *args]


def own(script, *args):
    return [sys.executable, os.path.join(BENCH, script), *args]


def lengths(script, *args):
    return [("%g MB" % mb, script(*args, "--mb", "%g" % mb)) for mb in (1, 10, 100)]


def counts(values, make):
    return [(f"{n:,}", make(n)) for n in values]


# name, verb, what is counted, inputs
ROWS = (
    ("Xdebug", "top", "bytes", lengths(shared, "make-callgrind.py", "--style", "xdebug")),
    ("Xdebug", "convert --to webgrind:7", "bytes", lengths(shared, "make-callgrind.py", "--style", "xdebug")),
    ("Valgrind, 60,000 functions", "top", "bytes", lengths(shared, "make-callgrind.py", "--style", "valgrind")),
    ("Valgrind, 60,000 functions", "check", "bytes", lengths(shared, "make-callgrind.py", "--style", "valgrind")),
    ("lcov, 100 files for each MB", "info", "bytes", lengths(own, "make_lcov.py")),
    ("C++ under Callgrind", "top", "functions, files", counts((1000, 10000, 100000), lambda n: own("make_callgrind.py", "--style", "cpp", "--mb", "%g" % (n / 3000), "--functions", str(n)))),
    ("C++ under Callgrind", "info", "functions, files", counts((1000, 10000, 100000), lambda n: own("make_callgrind.py", "--style", "cpp", "--mb", "%g" % (n / 3000), "--functions", str(n)))),
    ("call chain", "top", "functions", counts((1000, 10000, 100000, 1000000), lambda n: own("make_shapes.py", "--style", "chain", "--mb", "%.6f" % (n * 50e-6)))),
    ("one function calls all", "callers hub", "edges", counts((1000, 10000, 100000, 1000000), lambda n: own("make_shapes.py", "--style", "star", "--mb", "%.6f" % (n * 62e-6)))),
    ("coverage of a line each", "info", "files", counts((1000, 10000, 100000, 1000000), lambda n: own("make_shapes.py", "--style", "files", "--mb", "%.6f" % (n * 40e-6)))),
    ("parts", "top", "streams", counts((1000, 10000, 100000), lambda n: own("make_shapes.py", "--style", "streams", "--mb", "%.6f" % (n * 113e-6)))),
    ("folded stacks", "flame", "contexts", lengths(shared, "make-exchange.py", "--format", "folded")),
)


def make(folder, argv):
    path = os.path.join(folder, "in")
    with open(path, "wb") as file:
        subprocess.run(argv, stdout=file, stderr=subprocess.DEVNULL, check=True)
    return path


def measured(assay, verb, path, folder):
    """Instructions, CPU seconds and peak memory of the command."""
    words = [assay, *verb.split(), path, "-j", "1"]
    if verb.split()[0] in ("convert", "flame"):
        words += ["-o", os.path.join(folder, "out")]
    runs = [measure.run(words, watch=True) for _ in range(RUNS)]
    if any(run.code for run in runs):
        raise SystemExit("growth.py: %s ended with exit code %d" % (" ".join(words), runs[0].code))
    return min(run.cpu for run in runs), max(run.anon for run in runs), peers.count_instructions(words) if os.path.getsize(path) < 150e6 else None


def slope(a, b):
    """Of two points (bytes, cost)."""
    return math.log(b[1] / a[1]) / math.log(b[0] / a[0])


def row(assay, name, verb, what, inputs):
    points, cells = [], []
    with tempfile.TemporaryDirectory(dir=os.environ.get("ASSAY_BENCH_DIR")) as folder:
        for label, argv in inputs:
            path = make(folder, argv)
            length = os.path.getsize(path)
            cpu, memory, instructions = measured(assay, verb, path, folder)
            points.append((length, instructions, cpu, memory))
            cells.append("%s: %.1f MB, %.1f/byte, %.2f s, %.0f MB" % (label, length / 1e6, instructions / length if instructions else math.nan, cpu, memory / 1e6))
            print("growth: %s %s: %s" % (name, verb, cells[-1]), file=sys.stderr, flush=True)
    begun = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(points, points[1:]) if a[1] and b[1]]
    slopes = ["%.2f" % slope(a, b) for a, b in zip(begun, begun[1:])]
    print("| %s | %s | %s | %s | %s | %.1f |" % (name, verb, what, "; ".join(cells), ", ".join(slopes), points[-1][3] / points[-1][0]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="*", help="rows whose name matches")
    parser.add_argument("--assay", default=os.path.join(ROOT, "build", "src", "assay"))
    parser.add_argument("--long", action="store_true", help="1,000 MB too")
    options = parser.parse_args()
    print("load %.1f" % os.getloadavg()[0], file=sys.stderr)
    print("| input | command | distinct | instructions and memory | slopes | memory for each byte |\n|---|---|---|---|---|---:|")
    for name, verb, what, inputs in ROWS:
        if not fnmatch.fnmatch(name, options.only):
            continue
        if options.long and inputs[0][0].endswith("MB"):
            inputs = [*inputs, ("1000 MB", inputs[-1][1][:-1] + ["1000"])]
        row(options.assay, name, verb, what, inputs)


if __name__ == "__main__":
    main()
