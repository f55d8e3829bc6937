#!/usr/bin/env python3
"""A profile as cProfile writes it, on standard output: functions that call each other, with the keys of callers as references. About 250 bytes for each function."""
import argparse
import marshal
import random
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, count = random.Random(options.seed), max(10, round(options.mb * 4000))
    keys = [("/home/user/demo/src/package_%d/module_%d.py" % (i % 97, i % 1500), 10 + i % 3000, "function_%d" % i) for i in range(count)]
    stats = {}
    for i, key in enumerate(keys):
        callers = {}
        for _ in range(rng.randrange(1, 9)):
            near = keys[max(0, i - rng.randrange(1, 400))]  # functions are called from near by
            calls = rng.randrange(1, 1000000)
            callers[near] = (calls, calls, rng.random() * 10, rng.random() * 100)
        calls = sum(c[0] for c in callers.values())
        stats[key] = (calls, calls, sum(c[2] for c in callers.values()), sum(c[3] for c in callers.values()), callers)
    sys.stdout.buffer.write(marshal.dumps(stats))


if __name__ == "__main__":
    main()
