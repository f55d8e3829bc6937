#!/usr/bin/env python3
"""One signal ends every verb that writes a file, in a moment, whatever it is at: reading, analysing or writing. Nothing is left beside the target.

Each verb is interrupted at several moments on an input that takes it seconds. Half of the times from the signal to the end are 100 ms or less; a
machine that is busy with other things may take longer now and then, but never a second.
"""
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, Tally  # noqa: E402

OLD = b"what was there before\n"
MOMENTS = (0.05, 0.3, 0.7, 1.2)
USUAL, LONGEST = 0.1, 1.0


def chain(path, functions):
    """Functions that call each other in a chain, and others across it: short to read, long to follow."""
    lines = ["# callgrind format", "events: Ir"]
    for i in range(functions):
        lines += [f"fl=({i % 97}) file_{i % 97}.c", f"fn=({i}) function_{i}", f"{i} {i % 7 + 1}"]
        for callee in {i + 1, i + 2, min(i * 2 + 1, functions)}:
            if callee < functions:
                lines += [f"cfn=({callee}) function_{callee}", "calls=3 1", f"{i} {functions - i}"]
    path.write_text("\n".join(lines) + "\n")


def coverage(path, files):
    rows = "".join(f"DA:{n},{n % 3}\nBRDA:{n},0,0,{n % 2}\nBRDA:{n},0,1,1\n" for n in range(1, 400))
    with open(path, "w") as out:
        for i in range(files):
            out.write(f"SF:src/folder_{i % 50}/file_{i}.c\nFN:1,f{i}\nFNDA:1,f{i}\n{rows}end_of_record\n")


def jobs(cost, lines):
    return [("top", cost), ("tree", "--estimate", cost), ("callers", "function_7000", cost), ("flame", "--estimate", cost), ("info", cost), ("check", cost),
            ("dump", cost), ("diff", cost, cost), ("merge", "--to", "callgrind", cost, cost), ("convert", "--to", "dot", cost), ("convert", "--to", "callgrind", cost),
            ("convert", "--to", "nytprof", cost), ("convert", "--to", "hpcdb", cost), ("top", lines), ("diff", lines, lines), ("merge", "--to", "lcov", lines, lines),
            ("convert", "--to", "html", lines), ("convert", "--to", "cobertura", lines), ("annotate", lines)]


def usual():
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def content(target):
    return {str(p.relative_to(target)): p.read_bytes() for p in target.rglob("*") if p.is_file()} if target.is_dir() else target.read_bytes()


def is_whole(args, target):
    """The signal came when the work was done: then the target is what it is without one."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ASSAY, *args, "-o", Path(folder) / "target"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        return content(Path(folder) / "target") == content(target)


def one(tally, args, moment, how):
    """Seconds from the signal to the end, or None when the work was done before."""
    is_dir = "html" in args or "hpcdb" in args
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "target"
        if not is_dir:
            target.write_bytes(OLD)
        process = subprocess.Popen([ASSAY, *args, "-o", target], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=usual)
        try:
            process.communicate(timeout=moment)
            return None
        except subprocess.TimeoutExpired:
            pass
        begin = time.monotonic()
        process.send_signal(how)
        _, said = process.communicate(timeout=60)
        took = time.monotonic() - begin
        label = f"{' '.join(str(a).split('/')[-1] for a in args)} after {moment} s, signal {how}"
        if process.returncode == 0:
            return None
        tally.equal(process.returncode, -how, f"{label}: ends by it")
        rest = sorted(os.listdir(folder))
        tally.check(rest in ([], ["target"]), f"{label}: leaves nothing behind", rest)
        as_it_was = not target.exists() if is_dir else content(target) == OLD
        tally.check(as_it_was or is_whole(args, target), f"{label}: the target is as it was, or whole", said.decode())
        tally.check(took < LONGEST, f"{label}: at once", took)
        return took


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        cost, lines = Path(folder) / "cost.callgrind", Path(folder) / "lines.info"
        chain(cost, 60000)
        coverage(lines, 3000)
        times = [t for args in jobs(cost, lines) for i, moment in enumerate(MOMENTS)
                 if (t := one(tally, args, moment, (signal.SIGTERM, signal.SIGINT)[i % 2])) is not None]
        tally.check(len(times) > 10, "some were interrupted", len(times))
        tally.check(not times or statistics.median(times) <= USUAL, "half of them within 100 ms", sorted(times))
        print(f"{len(times)} interrupts: median {statistics.median(times) * 1000:.0f} ms, longest {max(times) * 1000:.0f} ms")
        result = subprocess.run(["timeout", "0.3", ASSAY, "tree", "--estimate", cost, "-o", Path(folder) / "out"], timeout=60, stderr=subprocess.DEVNULL)
        tally.check(result.returncode in (0, 124) and len(os.listdir(folder)) <= 3, "timeout needs one signal", result.returncode, os.listdir(folder))
    tally.finish()


if __name__ == "__main__":
    main()
