#!/usr/bin/env python3
"""A conversion that is killed or interrupted leaves its target as it was, or new and whole.

A killed process may leave a temporary file beside the target, which the next one to write there removes; an interrupted one leaves nothing.
"""
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, Tally, assay, said  # noqa: E402

OLD = b"what was there before\n"
FUNCTIONS = 60000
PATIENCE = 20  # seconds that a process may take to end


def profile():
    """A text that takes a while to write."""
    lines = ["# callgrind format", "events: Ir Dr"]
    for i in range(FUNCTIONS):
        lines += [f"fl=({i}) /src/file_{i}.c", f"fn=({i}) function_{i}", f"{i} {i + 1} 7", f"+1 {i} 3"]
        if i:
            lines += [f"cfi=({i // 2})", f"cfn=({i // 2})", f"calls={i} 1", f"+1 {i} 2"]
    return ("\n".join(lines) + "\n").encode()


def start(target):
    """With signals as a terminal gives them: a test runner may have told its children to ignore some."""
    def usual():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen([ASSAY, "convert", "-", "--from", "callgrind", "--to", "callgrind", "-o", target], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, preexec_fn=usual)


def feed(process, data, close):
    try:
        process.stdin.write(data)
        process.stdin.flush()
        if close:
            process.stdin.close()
    except BrokenPipeError:
        pass


def stop(process, how):
    """Sends the signal and reaps; returns the status, or None when it does not end by itself."""
    process.send_signal(how)
    try:
        status = process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        status = None
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stderr):
        try:
            pipe.close()
        except BrokenPipeError:
            pass
    return status


def others(folder, target):
    return [p for p in Path(folder).iterdir() if p != target]


def while_reading(tally, data, how):
    """The process waits for the second half of its input when the signal comes."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "target"
        target.write_bytes(OLD)
        process = start(target)
        feed(process, data[:len(data) // 2], False)
        status = stop(process, how)
        label = f"signal {how} while reading"
        tally.check(status == -how or status == 128 + how, f"{label}: ends by it", f"status {status}" if status is not None else f"still there after {PATIENCE} s")
        tally.equal(target.read_bytes(), OLD, f"{label}: the target is as it was")
        if how != signal.SIGKILL:
            tally.equal(others(folder, target), [], f"{label}: leaves nothing behind")


def while_writing(tally, data, whole, least, how):
    """The signal comes as soon as the temporary file has `least` bytes."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "target"
        target.write_bytes(OLD)
        process = start(target)
        feed(process, data, True)
        while process.poll() is None and not any(p.exists() and os.stat(p).st_size >= least for p in others(folder, target)):
            pass
        status = stop(process, how)
        got = target.read_bytes()
        label = f"signal {how} after {least} bytes"
        tally.check(got == OLD and status != 0 or got == whole, f"{label}: the target is old or whole", f"{len(got)} bytes, status {status}")
        if how != signal.SIGKILL:
            tally.equal(others(folder, target), [], f"{label}: leaves nothing behind")
        return got == OLD


def left_over(tally, data):
    """What the dead left goes, what the living use stays, and what only looks like it too."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "target"
        process = start(target)
        feed(process, data, True)
        while process.poll() is None and not others(folder, target):
            pass
        stop(process, signal.SIGKILL)
        for name in ("target.assay-abcde", "target.assay-ABCDEF", "other.assay-abcdef", "target.assay-alive0", "target.assay-dead00"):
            Path(folder, name).write_bytes(OLD)
        Path(folder, "target.assay-link00").symlink_to(target)
        held = os.open(Path(folder, "target.assay-alive0"), os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        result = assay("convert", "-", "--from", "callgrind", "--to", "callgrind", "-o", target, input=data)
        os.close(held)
        names = sorted(p.name for p in others(folder, target))
        tally.equal((names, result.returncode), (["other.assay-abcdef", "target.assay-ABCDEF", "target.assay-abcde", "target.assay-alive0", "target.assay-link00"], 0),
                    "only what was left over is removed")


def left_over_folders(tally):
    """The same of folders: one that a killed process left, and one with somebody's lock."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "site"
        for name in ("site.assay-dead00", "site.assay-alive0"):
            Path(folder, name, "deep").mkdir(parents=True)
            Path(folder, name, "deep/file").write_bytes(OLD)
        Path(folder, "site.assay-dead00/link").symlink_to(folder)
        held = os.open(Path(folder, "site.assay-alive0"), os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        result = assay("convert", "-", "--from", "lcov", "--to", "html", "-o", target, input=b"SF:a.c\nDA:1,1\nend_of_record\n")
        os.close(held)
        tally.equal(([p.name for p in others(folder, target)], result.returncode), (["site.assay-alive0"], 0), "folders too")
        tally.check((target / "index.html").exists() and Path(folder, "site.assay-alive0/deep/file").exists(), "with what belongs to the living")


def main():
    tally = Tally()
    data = profile()
    with tempfile.TemporaryDirectory() as folder:
        result = assay("convert", "-", "--from", "callgrind", "--to", "callgrind", "-o", f"{folder}/whole", input=data)
        if not tally.check(result.returncode == 0, "converts when left alone", said(result)):
            tally.finish()
        whole = Path(folder, "whole").read_bytes()
    for how in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
        while_reading(tally, data, how)
        caught = [while_writing(tally, data, whole, part * len(whole) // 4, how) for part in range(1, 4)]
        if how == signal.SIGKILL:  # the others may be answered when the work is done
            tally.check(any(caught), f"signal {how}: some came while it was writing")
    left_over(tally, data)
    left_over_folders(tally)
    tally.finish()


if __name__ == "__main__":
    main()
