#!/usr/bin/env python3
"""A disk that is full at any moment: each call that changes the file system fails in turn, for every format that can be written and every rewrite.

  writes.py KILLER.so

The command says so in a sentence that names the output, exits with 4, and leaves the target as it was and nothing beside it.
"""
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, FIXTURES, Tally, assay, run, said  # noqa: E402

OLD = b"what was there before\n"
# Inputs of which one can be converted to any format that is written.
SOURCES = ["demo.xdebug", "demo.info", "demo.nytprof", "04.00b.hpcrun", "01.01.hpctrace", "lines.cov-object", "lines.cov-spec-object", "app.m"]
WORDS = b"No space left on device"


def formats():
    return [f["name"] for f in json.loads(assay("formats", "--json").stdout)["formats"] if "write" in f["can"]]


def convert(source, to, target, **extra):
    return run(ASSAY, "convert", source, "--to", to, "-o", target, env={**os.environ, **extra}, timeout=60)


def told(tally, result, name, label):
    """The sentence: the output, a colon, and what failed."""
    text = result.stderr.decode()
    lines = [line for line in text.splitlines() if "No space left" in line]
    ok = result.returncode == 4 and len(lines) == 1 and lines[0].startswith("assay: ") and f"{name}: " in lines[0] and len(lines[0].split(f"{name}: ")[1]) > len(WORDS)
    tally.check(ok, label, f"exit {result.returncode}", text)


def each_call(tally, killer, source, to, is_dir=False):
    """Until it succeeds."""
    for at in range(1, 400):
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "the-output"
            if not is_dir:
                target.write_bytes(OLD)
            result = convert(source, to, target, LD_PRELOAD=killer, FAIL_AT=str(at))
            if result.returncode == 0:
                break
            label = f"{source.name} to {to}, call {at}"
            told(tally, result, target, label)
            rest = sorted(p.name for p in Path(folder).iterdir())
            # when the folder around it cannot be synced, the target is new, which is as good
            kept = not target.exists() if is_dir else target.read_bytes() == OLD
            tally.check(rest == ([] if is_dir and kept else ["the-output"]), f"{label}: nothing is left beside it", rest)
            tally.check(kept or b"sync" in result.stderr, f"{label}: the target is as it was")
    tally.check(3 <= at < 399, f"{source.name} to {to}: there is an end", at)


def full_device(tally, source, to):
    if os.path.exists("/dev/full"):
        told(tally, convert(source, to, "/dev/full"), "/dev/full", f"{source.name} to {to}, /dev/full")


def big(folder):
    """Inputs that do not fit into the buffer of an output, so that it fails while the writer is at work."""
    cost = ["# callgrind format", "events: Ir Dr"]
    for i in range(12000):
        cost += [f"fl=({i}) /src/file_{i}.c", f"fn=({i}) function_{i}", f"{i} {i + 1} 7"]
        if i:
            cost += [f"cfi=({i // 2})", f"cfn=({i // 2})", f"calls={i} 1", f"+1 {i} 2"]
    rows = "".join(f"SF:file_{i}.c\nFN:1,function_{i}\nFNDA:1,function_{i}\n" + "".join(f"DA:{n},{n}\n" for n in range(1, 60)) + "end_of_record\n" for i in range(800))
    lines = "SF:a.c\n" + "".join(f"DA:{n},{n * 7919 % 100003}\n" for n in range(1, 200000)) + "end_of_record\n"
    go = "mode: count\n" + "".join(f"a.go:{n}.1,{n}.9 1 {n}\n" for n in range(1, 30000))
    for name, text in (("big.callgrind", "\n".join(cost) + "\n"), ("big.info", rows), ("big-lines.info", lines), ("big.go.out", go)):
        (Path(folder) / name).write_text(text)
        yield Path(folder) / name


def while_writing(tally, killer, folder, known):
    sources = list(big(folder))
    for to in known:
        target = Path(folder) / f"big.{to}"
        source = next((s for s in sources if convert(s, to, target).returncode == 0), None)
        for label, of in (("", source), ("again ", target)):
            if not of or of.is_dir() or not target.is_file() or convert(of, to, f"{folder}/again").returncode != 0:
                continue
            told(tally, convert(of, to, "/dev/full"), "/dev/full", f"{label}{of.name} to {to}, /dev/full")
            limited = convert(of, to, f"{folder}/again", LD_PRELOAD=killer, FAIL_AT="2")
            told(tally, limited, f"{folder}/again", f"{label}{of.name} to {to}, the first write")


def main():
    tally = Tally()
    killer, known = os.path.abspath(sys.argv[1]), formats()
    with tempfile.TemporaryDirectory() as folder:
        done = set()
        go = Path(folder) / "go.out"
        go.write_text("mode: count\na.go:1.1,2.3 1 5\n")
        for to in known:
            source = next((s for s in [FIXTURES / s for s in SOURCES] + [go] if convert(s, to, f"{folder}/{to}").returncode == 0), None)
            if not tally.check(source is not None, f"something can be written as {to}"):
                continue
            is_dir = (Path(folder) / to).is_dir()
            each_call(tally, killer, source, to, is_dir)
            if not is_dir:
                done.add((source.name, to))
                full_device(tally, source, to)
        # The same format in and out goes another way.
        for source in sorted(p for p in FIXTURES.iterdir() if p.is_file()):
            told_format = next((f["format"] for f in json.loads(assay("info", "--json", source).stdout or b"{}").get("files", [])), None)
            if told_format in known and told_format not in done and (source.name, told_format) not in done:
                done.add(told_format)
                each_call(tally, killer, source, told_format)
                full_device(tally, source, told_format)
        while_writing(tally, killer, folder, known)
    tally.finish()


if __name__ == "__main__":
    main()
