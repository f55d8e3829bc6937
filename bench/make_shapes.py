#!/usr/bin/env python3
"""Makes inputs whose shape is out of the ordinary, though each is a valid file: what takes more than its share of time on one of them is quadratic.

  make_shapes.py --style chain --mb 10 >chain.callgrind

  chain    each function calls the next one
  ring     the same, and the last one calls the first
  pairs    many small rings that nothing else calls
  grid     each function calls its neighbours to the right and below
  star     one function that calls all others, and one that all others call
  homes    functions in a tenth as many files
  files    coverage of one line in each file
  streams  a part for each thread, with the same few functions
  labels   coverage of the same files by many tests
  names    functions whose names have one XXH3 hash when it is not seeded
"""
import argparse
import sys

EVENTS = "events: Ir\n"
XXH3_SECRET = bytes.fromhex("b8fe6c3923a44bbe")  # the first bytes of the default secret: names that begin with them cancel it out
CHARACTERS = 64
NAME_END = b"0123456789abcdef"
GRID_WIDTH = 100
TESTS = 2000


def function(name, calls, self_cost=1, home=None):
    """`calls`: (callee, cost) each."""
    text = "fl=%s\nfn=%s\n1 %d\n" % (home or "a.c", name, self_cost)
    return text + "".join("cfn=%s\ncalls=1 1\n2 %d\n" % call for call in calls)


def chain(count):
    yield EVENTS
    for i in range(count):
        yield function("f%d" % i, [("f%d" % (i + 1), count - 1 - i)] if i + 1 < count else [])


def ring(count):
    yield EVENTS
    for i in range(count):
        yield function("f%d" % i, [("f%d" % ((i + 1) % count), count)])


def pairs(count):
    yield EVENTS
    for i in range(count // 2 * 2):
        yield function("f%d" % i, [("f%d" % (i ^ 1), 1)])


def grid(count):
    yield EVENTS
    height = max(2, count // GRID_WIDTH)
    for i in range(height * GRID_WIDTH):
        row, column = divmod(i, GRID_WIDTH)
        calls = [("f%d" % (i + 1), 1)] if column + 1 < GRID_WIDTH else []
        yield function("f%d" % i, calls + ([("f%d" % (i + GRID_WIDTH), 1)] if row + 1 < height else []))


def star(count):
    yield EVENTS
    yield function("hub", [("f%d" % i, 2) for i in range(count)])
    for i in range(count):
        yield function("f%d" % i, [("sink", 1)])
    yield function("sink", [], count)


def homes(count):
    yield EVENTS
    files = max(1, count // 10)
    for i in range(count):
        yield function("f%d" % i, [("f%d" % (i * 7919 % count), 3)], 5, "src/file%d.c" % (i % files))


def files(count):
    for i in range(count):
        yield "SF:src/d%d/f%d.c\nDA:1,%d\nend_of_record\n" % (i % 1000, i, i % 2)


def streams(count):
    for i in range(count):
        yield "part: %d\nthread: %d\n%s" % (i + 1, i + 1, EVENTS)
        yield function("main", [("work", 2)]) + function("work", [], 2)


def labels(count):
    for i in range(count):
        yield "TN:test%d\nSF:src/f%d.c\nDA:1,1\nend_of_record\n" % (i % TESTS, i // TESTS)


def names(count):
    yield EVENTS.encode()
    for i in range(count):
        digits = bytes(48 + (i // CHARACTERS**k) % CHARACTERS for k in range(8))
        yield b"fn=" + XXH3_SECRET + digits + NAME_END + b"\n1 1\n"


# a maker, and bytes for each of what it counts
STYLES = {"chain": (chain, 50), "ring": (ring, 51), "pairs": (pairs, 47), "grid": (grid, 74), "star": (star, 62), "homes": (homes, 61), "files": (files, 40),
          "streams": (streams, 113), "labels": (labels, 48), "names": (names, 40)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--style", choices=STYLES, required=True)
    parser.add_argument("--mb", type=float, default=10, help="about so many million bytes (10)")
    options = parser.parse_args()
    maker, bytes_each = STYLES[options.style]
    for text in maker(max(4, int(options.mb * 1e6 / bytes_each))):
        sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())


if __name__ == "__main__":
    main()
