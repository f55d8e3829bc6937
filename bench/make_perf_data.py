#!/usr/bin/env python3
"""Writes a perf.data file of about the wanted size to standard output.

  make_perf_data.py [--mb N] [--seed N]

What perf record -g leaves behind of a server: some processes of several threads, each CPU with a buffer of its own that is written out in rounds, stacks of 3 to 40
frames that branch off from each other, half of the samples in a hundred of them, kernel frames in a third of them. The mapped files are nowhere, so nothing has a name. The same arguments give
the same bytes.
"""
import argparse
import random
import struct
import sys

TYPE = 1 | 2 | 4 | 32 | 64 | 256  # IP TID TIME CALLCHAIN ID PERIOD
KERNEL, USER = 2**64 - 128, 2**64 - 512
MODULES, STACKS, THREADS, CPUS, ROUND = 12, 20000, 8, 4, 400


def record(kind, misc, payload):
    return struct.pack("<IHH", kind, misc, 8 + len(payload)) + payload


def text(name):
    return name + b"\0" * (8 - len(name) % 8)


def trailer(tid):
    return struct.pack("<iiQQ", tid // 8 * 8, tid, 0, 1)


def begin(threads):
    out = record(1, 1, struct.pack("<iiQQQ", -1, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000) + text(b"[kernel.kallsyms]_text") + trailer(0))
    for tid in threads:
        out += record(3, 0, struct.pack("<ii", tid // 8 * 8, tid) + text(b"worker %d" % (tid % 8)) + trailer(tid))
    for pid in sorted({tid // 8 * 8 for tid in threads}):
        for m in range(MODULES):
            out += record(10, 2, struct.pack("<iiQQQIIQQII", pid, pid, 0x7f0000000000 + (m << 24), 1 << 24, 0, 8, 1, 100 + m, 0, 5, 2)
                          + text(b"/srv/nowhere/lib/libpart%d.so.1" % m) + trailer(pid))
    return out


def frames(dice):
    """Stacks that share their outer frames, as the chains of a sample; innermost first."""
    known = [[0x7f0000001000]]
    out = []
    for _ in range(STACKS):
        base = known[int(dice.random() ** 2 * len(known))]
        stack = list(base[:40 - 3])
        for _ in range(1 + int(dice.random() * 3)):
            stack.append(0x7f0000000000 + (int(dice.random() * MODULES) << 24) + int(dice.random() * 4000) * 48)
        known.append(stack)
        kernel = [KERNEL] + [0xffffffff81000000 + int(dice.random() * 3000) * 64 for _ in range(4)] if dice.random() < 0.33 else []
        chain = kernel + [USER] + stack[::-1]
        out.append((chain[1], struct.pack("<Q%dQ" % len(chain), len(chain), *chain)))
    return out


def samples(dice, stacks, threads, size):
    """Rounds of all CPUs, one after the other, each in its own order of time."""
    now, done = 10**12, 0
    while done < size:
        out = bytearray()
        for cpu in range(CPUS):
            time = now
            for _ in range(ROUND):
                tid = threads[(int(dice.random() * 3) + 3 * cpu) % len(threads)]
                time += 100000 + int(dice.random() * 1000)
                ip, chain = stacks[int(dice.random() ** 6 * len(stacks))]
                out += struct.pack("<IHHQiiQQQ", 9, 2, 48 + len(chain), ip, tid // 8 * 8, tid, time, 1, 250000) + chain
        now += ROUND * 101000
        out += record(68, 0, b"")
        done += len(out)
        yield bytes(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    threads = [804 + i for i in range(THREADS)]
    blocks = [begin(threads), *samples(dice, frames(dice), threads, options.mb * 1e6)]
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 4000, TYPE, 4, 1 << 10 | 1 << 18) + b"\0" * 80
    header = b"PERFILE2" + struct.pack("<12Q", 104, 144, 112, 144, 256, sum(map(len, blocks)), 0, 0, 0, 0, 0, 0)
    sys.stdout.buffer.write(header + struct.pack("<Q", 1) + attr + struct.pack("<QQ", 104, 8))
    for block in blocks:
        sys.stdout.buffer.write(block)


if __name__ == "__main__":
    main()
