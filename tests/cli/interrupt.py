"""Interrupts a conversion in the middle: interrupt.py ASSAY. The input is a pipe that is kept filled, so the moment is certain."""
import os, signal, subprocess, sys

HEAD = b"# callgrind format\nevents: Ir\nfl=a.c\nfn=f\n"
LINES = b"1 1\n" * 4096

def interrupt(assay, number, *args):
    p = subprocess.Popen([assay, *args], stdin=subprocess.PIPE)
    p.stdin.write(HEAD)
    # 16 MB, more than a look at the beginning and the pipe can hold: it must be reading records by now.
    for _ in range(1024):
        p.stdin.write(LINES)
    p.stdin.flush()
    before = sorted(os.listdir("."))
    p.send_signal(number)
    try:
        for _ in range(100000):
            p.stdin.write(LINES)
            p.stdin.flush()
    except BrokenPipeError:
        pass
    try:
        p.stdin.close()
    except BrokenPipeError:
        pass
    return before, p.wait()

open("old", "w").write("old\n")
for number in (signal.SIGINT, signal.SIGTERM):
    before, code = interrupt(sys.argv[1], number, "convert", "-", "--to", "callgrind", "-o", "old")
    print(f"{len(before) - 1} temporary file, ended by {signal.Signals(-code).name if code < 0 else code}, left: {os.listdir('.')}, {open('old').read().strip()}")
    before, code = interrupt(sys.argv[1], number, "info", "-")
    print(f"{len(before) - 1} temporary files, ended by {signal.Signals(-code).name if code < 0 else code}")
