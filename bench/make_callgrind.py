#!/usr/bin/env python3
"""Callgrind text with the shape of real recordings, as long as it is wanted: which line follows which, how long numbers are, how often a call names its file and object are
drawn from what recordings have (SHAPES, by --measure).

  make_callgrind.py --style clang --mb 10 >out      a large program without debug information (clang -O1 -c of a C file of six lines)
  make_callgrind.py --style cpp --mb 10 >out        C++ with debug information and inlining (g++ -g -O2, regex, maps, streams)
  make_callgrind.py --style cpp0 --mb 10 >out       the same without optimisation: short functions
  make_callgrind.py --measure FILE                  the row of SHAPES for a recording
  make_callgrind.py --functions 1000 ...            no more functions than that; else 3,000 for each MB

Ten functions have a file on average (clang: one file for each object). The totals are the sum of the self costs.
"""
import argparse
import bisect
import itertools
import random
import re
import sys

# What stands in a block of fn=: a self cost at an absolute, relative or repeated line; fi= or fe=; a call that names nothing but the function, its file too, its object and file too; the end.
KINDS = "ASERCFOX"
SELF = re.compile(r"(\d+|[+-]\d+|\*) (\d+)$")
FILES_PER_FUNCTION = {"clang": 0, "cpp": 10, "cpp0": 10}
OBJECTS, FUNCTIONS_PER_MB = 12, 3000
# Which share of the calls goes to the ten, hundred and thousand functions that are called most, in the recording of clang.
POPULAR = {"C": ((10, 0.20), (100, 0.38), (1000, 0.61)), "F": ((10, 0.30), (100, 0.70), (1000, 0.90)), "O": ((10, 0.70), (100, 0.85), (1000, 0.92))}
AGAIN = 0.3  # of the calls of a kind go where the last one of the function went
SCATTER = 7919  # they stand anywhere
BACK = 0.4  # of the relative lines
# by the kind before, counts of what follows; how many self lines and calls have a cost of 1, 2, ... digits; line numbers, steps and targets of calls likewise (0 digits: the line is 0)
SHAPES = {
    "clang": {"after": {"A": [13820, 620, 0, 184, 27313, 49, 14803, 10021],
                          "S": [168, 6906, 0, 398, 95, 251, 43, 239],
                          "E": [14, 150, 8, 20, 4, 11, 3, 10],
                          "R": [346, 235, 1, 0, 0, 0, 0, 54],
                          "C": [25678, 59, 39, 2, 1438, 0, 82, 1561],
                          "F": [9, 112, 143, 29, 0, 1, 2, 16],
                          "O": [14850, 18, 29, 3, 9, 0, 2437, 24],
                          "X": [11925, 0, 0, 0, 0, 0, 0, 0]},
              "self": [0, 36035, 25973, 8844, 3209, 949, 112, 8], "call": [0, 3781, 16537, 17072, 6493, 2047, 468, 112, 31], "line": [110129, 0, 375, 445, 211], "step": [0, 6693, 1407], "times": [0, 40757, 4166, 1458, 145, 15]},
    "cpp": {"after": {"A": [614, 915, 0, 1190, 401, 82, 168, 227],
                        "S": [219, 6494, 0, 851, 118, 251, 91, 233],
                        "E": [16, 163, 55, 158, 9, 12, 8, 15],
                        "R": [1766, 486, 1, 0, 0, 0, 0, 82],
                        "C": [239, 67, 61, 62, 40, 0, 89, 10],
                        "F": [10, 120, 136, 64, 0, 3, 1, 14],
                        "O": [146, 12, 183, 5, 0, 0, 161, 11],
                        "X": [587, 0, 0, 5, 0, 0, 0, 0]},
            "self": [0, 7598, 2539, 1213, 808, 132], "call": [0, 147, 435, 476, 215, 101, 49, 11], "line": [1373, 0, 454, 1578, 694], "step": [0, 6513, 1744], "times": [0, 1186, 103, 123, 22]},
    "cpp0": {"after": {"A": [427, 1843, 0, 149, 422, 131, 84, 336],
                         "S": [153, 6923, 0, 361, 751, 1162, 137, 1119],
                         "E": [12, 806, 121, 19, 290, 578, 72, 556],
                         "R": [308, 207, 1, 0, 0, 0, 0, 42],
                         "C": [239, 344, 777, 1, 14, 0, 94, 8],
                         "F": [9, 471, 1352, 25, 0, 3, 1, 13],
                         "O": [159, 12, 203, 3, 0, 0, 189, 11],
                         "X": [2085, 0, 0, 0, 0, 0, 0, 0]},
             "self": [0, 8095, 3634, 1778, 2551, 390, 4], "call": [0, 274, 1039, 985, 817, 572, 194, 43, 4], "line": [1456, 0, 494, 1449, 519], "step": [0, 9201, 1405], "times": [0, 2267, 520, 944, 196, 1]},
}


def kinds_of(lines):
    """Per line: its kind and the numbers in it. A call is one."""
    cob = cfi = False
    pending = None
    begun = False
    for line in lines:
        line = line.rstrip("\n").rstrip(" ")
        if line.startswith("fn="):
            if begun:
                yield "X", ()
            begun = True
        elif line.startswith(("fi=", "fe=")):
            yield "R", ()
        elif line.startswith("cob="):
            cob = True
        elif line.startswith("cfi="):
            cfi = True
        elif line.startswith("calls="):
            pending = line
        elif begun and (m := SELF.match(line)):
            if pending:
                yield ("O" if cob else "F" if cfi else "C"), (pending, m)
                cob, cfi, pending = False, False, None
            else:
                yield ("E" if m[1] == "*" else "S" if m[1][0] in "+-" else "A"), (m,)
    yield "X", ()


def digits(text):
    return 0 if text == "0" else len(text)


def measure(path):
    after = {k: dict.fromkeys(KINDS, 0) for k in KINDS}
    counts = {name: [0] * 12 for name in ("self", "call", "line", "step", "times")}
    last = "X"
    with open(path, encoding="utf-8", errors="replace") as file:
        for kind, what in kinds_of(file):
            after[last][kind] += 1
            last = kind
            if not what:
                continue
            m = what[-1]
            counts["self" if kind in "ASE" else "call"][digits(m[2])] += 1
            if m[1][0] in "+-":
                counts["step"][digits(m[1][1:])] += 1
            elif m[1] != "*":
                counts["line"][digits(m[1])] += 1
            if kind in "CFO":
                counts["times"][digits(what[0].split("=")[1].split()[0])] += 1
    print({"after": {k: list(after[k].values()) for k in KINDS}, **counts})


class Draw:
    """One of 0 .. n-1, as often as the counts say."""

    def __init__(self, rng, counts):
        self.random, self.sums = rng.random, list(itertools.accumulate(counts))

    def __call__(self):
        return bisect.bisect_right(self.sums, self.random() * self.sums[-1])


class Number:
    """A number, drawn by its digits."""

    def __init__(self, rng, counts):
        self.digits, self.between = Draw(rng, counts), rng.randint

    def __call__(self):
        n = self.digits()
        return self.between(10 ** (n - 1), 10 ** n - 1) if n else 0


class Names:
    """`(id)`, and the name when it is met for the first time."""

    def __init__(self, text):
        self.seen, self.text = set(), text

    def __call__(self, i):
        if i in self.seen:
            return "(%d)" % i
        self.seen.add(i)
        return "(%d) %s" % (i, self.text(i))


WORDS = "std basic_string vector map regex_traits allocator char_traits unique_ptr Parser Token Stream Value Node Type Builder Context Visitor Pass Analysis Lowering".split()


class Program:
    def __init__(self, style, rng, functions):
        self.rng, self.style, self.count = rng, style, functions
        self.per_file = FILES_PER_FUNCTION[style]
        self.objects = Names(lambda i: "/usr/lib/x86_64-linux-gnu/libpart-%d.so.14" % i)
        self.files = Names(lambda i: "???" if not self.per_file else "/usr/src/project/include/%s/%s_%d.h" % (WORDS[i % 7], WORDS[i % len(WORDS)], i))
        self.functions = Names(self.name)

    def name(self, i):
        if not self.per_file:
            return "0x%016x" % (0x4a5000 + 112 * i)
        word = WORDS[i % 20], WORDS[i // 20 % 20]
        return "%s::%s<%s, std::less<%s > >::method_%d(%s const&)" % (*word, word[0], word[1], i, word[1])

    def object_of(self, f):
        return 1 + f * OBJECTS // (self.count + 1)

    def file_of(self, f):
        return self.object_of(f) if not self.per_file else 1 + f // self.per_file

    def near(self, f):
        """A file that is inlined here."""
        return 1 + (self.file_of(f) + self.rng.getrandbits(4)) % (1 + self.count // self.per_file) if self.per_file else self.object_of(f)

    def callee(self, f, kind):
        """A function in the same file or object (C), in another file (F), or in another object (O); most calls go to few functions."""
        random, draw = self.rng.random, self.rng.random()
        if kind == "C" and self.per_file:
            return min(f - f % self.per_file + int(random() * self.per_file), self.count - 1)
        size = max(1, self.count // OBJECTS)
        among = next((n for n, share in POPULAR[kind] if draw < share), size)
        first = f - f % size if kind != "O" else 0 if among < size else int(random() * OBJECTS) * size
        return min(first + int(random() * min(among, size)) * SCATTER % size, self.count - 1)


def block(p, f, chain, number, lines):
    """The lines of a function; returns its self cost."""
    total, kind, inside, line, last = 0, "X", False, 0, {}
    while True:
        kind = KINDS[chain[kind]()]
        if kind == "X":
            return total
        if kind == "R":
            inside = not inside
            lines.append("fi=%s\n" % p.files(p.near(f)) if inside else "fe=%s\n" % p.files(p.file_of(f)))
        elif kind in "ASE":
            cost, step = number["self"](), 0 if kind == "E" else number["step"]()
            total += cost
            if kind == "A":
                line = number["line"]()
                lines.append("%d %d\n" % (line, cost))
            elif kind == "E":
                lines.append("* %d\n" % cost)
            else:
                step = -step if p.rng.random() < BACK and step < line else step
                line += step
                lines.append("%+d %d\n" % (step, cost))
        else:
            g = last[kind] if kind in last and p.rng.random() < AGAIN else p.callee(f, kind)
            last[kind] = g
            if kind == "O":
                lines.append("cob=%s\n" % p.objects(p.object_of(g)))
            if kind in "OF" or p.file_of(g) != p.file_of(f):
                lines.append("cfi=%s\n" % p.files(p.file_of(g)))
            line = number["line"]()
            lines.append("cfn=%s\ncalls=%d %d \n%d %d\n" % (p.functions(g), number["times"](), number["line"](), line, number["call"]()))


def generate(style, mb, functions, seed, out):
    shape, rng = SHAPES[style], random.Random(seed)
    count = functions or max(100, int(mb * FUNCTIONS_PER_MB))
    p = Program(style, rng, count)
    chain = {k: Draw(rng, counts) for k, counts in zip(KINDS, shape["after"].values())}
    number = {k: Number(rng, shape[k]) for k in ("self", "call", "line", "step", "times")}
    out.write("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd: %s\npart: 1\n\npositions: line\nevents: Ir\n\n" % style)
    written, total, last, f = 0, 0, (0, 0), 0
    while written < mb * 1e6:
        g = f % count
        place, lines = (p.object_of(g), p.file_of(g)), []
        if place[0] != last[0]:
            lines.append("ob=%s\n" % p.objects(place[0]))
        if place != last:
            lines.append("fl=%s\n" % p.files(place[1]))
        last = place
        lines.append("fn=%s\n" % p.functions(g))
        lines.append("%d 1\n" % number["line"]())
        total += 1 + block(p, g, chain, number, lines)
        lines.append("\n")
        text = "".join(lines)
        written += len(text)
        out.write(text)
        f += 1
    out.write("totals: %d\n" % total)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--style", choices=SHAPES)
    parser.add_argument("--mb", type=float, default=10)
    parser.add_argument("--functions", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", metavar="FILE")
    options = parser.parse_args()
    if options.measure:
        measure(options.measure)
    else:
        generate(options.style, options.mb, options.functions, options.seed, sys.stdout)


main()
