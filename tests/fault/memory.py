#!/usr/bin/env python3
"""Memory in proportion: small files that are made to take much, each with a bound on the peak of the command (the resident set that the kernel counted);
and what is said where a limit is reached."""
import contextlib
import gzip
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, SHARED, Tally, assay  # noqa: E402

MIB = 1 << 20


def measure(*args, limit=None):
    """Runs the command; its exit status, what it said on standard error, and its peak in bytes."""
    before = (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None
    with tempfile.TemporaryFile() as err:
        child = subprocess.Popen([ASSAY, *map(str, args)], stdout=subprocess.DEVNULL, stderr=err, preexec_fn=before)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return child.returncode, err.read().decode(), used.ru_maxrss * 1024


def wide(path, functions, events):
    """Callgrind text: many events, but each function has a value of the first only."""
    with open(path, "w") as f:
        f.write("# callgrind format\nevents: " + " ".join(f"E{i}" for i in range(events)) + "\nfl=a.c\n")
        f.writelines(f"fn=f{i}\n{i + 1} {i % 97 + 1}\n" for i in range(functions))
    return path


def limits(t, tmp):
    """The sentence says which limit it is, and only where there is one."""
    path = wide(tmp / "wide", 100000, 4)
    code, said, peak = measure("top", "--max-memory", "8M", path)
    t.equal((code, said), (4, f"assay: {path}: out of memory (the limit is set by --max-memory)\n"), "a limit that was set")
    t.check(peak < 32 * MIB, "a limit that was set holds", peak)
    code, said, _ = measure("top", path, limit=40 * MIB)
    t.equal((code, said), (4, f"assay: {path}: out of memory (the limit is 30.0 MiB, three quarters of what 'ulimit -v' allows; raise it with --max-memory)\n"),
            "the default limit")


def long_rows(path, functions, events):
    """The same, but one function of a hundred has a value of the last event, and each calls the next."""
    with open(path, "w") as f:
        f.write("# callgrind format\nevents: " + " ".join(f"E{i}" for i in range(events)) + "\n")
        f.write("fl=a.c\n")
        for i in range(functions):
            f.write(f"fn=f{i}\n{i + 1} " + ("0 " * (events - 1) + "5" if i % 100 == 0 else "3") + f"\ncfn=f{i + 1}\ncalls=1 1\n{i + 1} 2\n")
    return path


def tables(t, tmp):
    """Rows of many metrics are as long as what they hold, so memory grows with the file and not with functions times events. The bound is 64 MiB for the
    program and its tables, and 20 times the file, or 30 times where a tree is made, twice for two files."""
    first, second = wide(tmp / "first", 200000, 200), tmp / "second"
    second.write_text(re.sub(r"^(\d+) ", r"\1 9", first.read_text(), flags=re.M))
    mixed = long_rows(tmp / "mixed", 30000, 200)
    verbs = (["top"], ["top", "--json"], ["top", "--metric", "E0,E199"], ["top", "--cycles"], ["top", "--by", "line"], ["info"], ["callers", "f5"],
             ["callers", "--json", "f5"], ["tree", "--limit", "9"], ["tree", "--flat"], ["tree", "--bottom-up"], ["tree", "--json"], ["annotate"], ["annotate", "--json"],
             ["flame", "-o", tmp / "flame.svg"])
    for path in (first, mixed):
        bound = 64 * MIB + 20 * path.stat().st_size
        for verb in verbs:
            most = bound + (10 if verb[0] in ("tree", "flame") else 0) * path.stat().st_size
            code, said, peak = measure(*verb, path)
            t.check(code == 0 and peak < most, f"{verb} of {path.name}", code, said, f"{peak} of {most} bytes")
        code, said, peak = measure("diff", path, second if path == first else mixed)
        t.check(code == 0 and peak < 2 * bound, f"diff of {path.name}", code, said, f"{peak} of {2 * bound} bytes")


def chunk(token, payload):
    return token + struct.pack("<I", len(payload)) + payload


def statements(path, hits):
    """A chunked NYTProf stream (docs/formats/nytprof-tlv.md) of a few bytes: one file, two lines executed so often."""
    lines = b"".join(struct.pack("<IIIQQ", 0, line, hits, 100, 100) for line in (1, 2))
    path.write_bytes(b"NYTProf 5 0\n:ticks_per_sec=10000000\n\n" + chunk(b"F", struct.pack("<IIII", 0, 16, 0, 0) + b"a.pl\0") + chunk(b"S", lines) + chunk(b"E", b""))
    return path


def outputs(t, tmp):
    """What a few bytes are converted to: nytprof has an event for each time a statement was executed, and counts of 32 bits."""
    path, out = statements(tmp / "statements", 5000000), tmp / "out"
    assay("convert", path, "--to", "nytprof", "-o", out)
    t.check(out.stat().st_size < 256 << 10, "10 million statements are compressed", out.stat().st_size)
    t.check(b'"total_stmts_measured": 10000000,' in assay("info", "--json", out).stdout, "and none is lost")
    made = assay("convert", path, "--to", "nytprof:5.0", "-o", out)
    t.check(out.stat().st_size < 4096, "a plain stream takes one for each line", out.stat().st_size)
    t.check(b"10000000 statements are more than the 1000200 that are written one by one (nytprof:5.0z keeps them)" in made.stderr, "and says so", made.stderr)
    calls = tmp / "calls"
    calls.write_text(f"# callgrind format\nevents: ns\nfn=a\n1 7\ncfn=b\ncalls={1 << 62} 5\n2 3\nfn=b\n5 3\n")
    made = assay("convert", calls, "--to", "nytprof", "-o", out)
    t.check(out.stat().st_size < 256 << 10, "2^62 calls", out.stat().st_size)
    t.check(b"saturated: 1 call site is capped at" in made.stderr, "are capped", made.stderr)


def compressed(path, before, after, size=200 * MIB):
    """`size` bytes between the two, in a file of some hundred kilobytes."""
    with gzip.open(path, "wb", 1) as f:
        f.write(before)
        for _ in range(size // MIB):
            f.write(b"a" * MIB)
        f.write(after)
    return path


def strings(t, tmp):
    """One name, string or line may take 64 MiB; more only where that was asked for."""
    istanbul = b'{"/a.js": {"path": "'
    sub = struct.pack("<II", 1, 0)
    tlv = b"NYTProf 5 0\n:ticks_per_sec=10000000\n\nD" + struct.pack("<I", len(sub) + 200 * MIB + 1) + sub
    cases = (("folded", b"f", b" 1\n", 0, "a line is longer than 64.0 MiB", 200),
             ("callgrind", b"# callgrind format\nevents: Ir\nfn=", b"\n1 1\n", 30, "a line is longer than 64.0 MiB", 200),
             ("lcov", b"TN:\nSF:", b"\nDA:1,1\nend_of_record\n", 4, "a line is longer than 64.0 MiB", 200),
             ("istanbul", istanbul, b'"}}', 19, "a name or string is longer than 64.0 MiB", 200),
             ("nytprof-tlv", tlv, b"\0" + chunk(b"E", b""), None, "a name of 200 MiB is longer than 64.0 MiB", 500))
    for name, before, after, offset, words, bound in cases:
        path = compressed(tmp / name, before, after)
        code, said, peak = measure("top", "--from", name, path)
        place = "" if offset is None else f": offset {offset}"
        t.check(code == 3 and f"{path}{place}" in said and words in said, f"{name}: a string of 200 MiB", code, said)
        t.check("(raise the limit with --max-string)" in said, f"{name}: says how to raise the limit", said)
        t.check(peak < bound * MIB, f"{name}: the peak of a string of 200 MiB", peak)
    code, said, _ = measure("info", "--from", "folded", "--max-string", "300M", tmp / "folded")
    t.equal((code, said), (0, ""), "a limit that was raised")
    path = compressed(tmp / "cobertura", b'<?xml version="1.0"?>\n<coverage><packages><package name="', b'"/></packages></coverage>')
    _, said, peak = measure("top", path)
    t.check("a tag, comment or declaration is longer than" in said, "XML has a limit of its own", said)
    t.check(peak < 100 * MIB, "XML: the peak of a string of 200 MiB", peak)


def peak_of_anonymous(*args):
    """Looked at while it runs: the pages of the temporary file, which the system may take back, count to the resident set, too."""
    with subprocess.Popen([ASSAY, *map(str, args)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        most = 0
        while child.poll() is None:
            with contextlib.suppress(OSError), open(f"/proc/{child.pid}/status", encoding="ascii") as status:
                most = max([most, *(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon:"))])
            time.sleep(0.001)
        return child.returncode, child.stderr.read().decode(), most


def kept(t, tmp):
    """--memory bounds all that a conversion of measurements keeps; what it writes is the same (formats/hpcdb/written.py)."""
    maker, made = SHARED / "bench" / "make-hpcrun.py", tmp / "many.m"
    if not maker.is_file():
        t.skip("--memory", "no make-hpcrun.py")
        return
    subprocess.run([sys.executable, maker, made, "--profiles", "600", "--nodes", "2000", "--traces", "20"], check=True, stdout=subprocess.DEVNULL)
    peaks = {}
    for size in ("8M", "1G"):
        code, said, peaks[size] = peak_of_anonymous("convert", "--memory", size, "-j", "1", made, "--to", "hpcdb", "-o", tmp / f"kept-{size}")
        t.check(code == 0, f"--memory {size}", code, said)
    t.check(peaks["8M"] < 12 * MIB < 20 * MIB < peaks["1G"], "--memory 8M holds", peaks)


def main():
    t = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        limits(t, Path(tmp))
        tables(t, Path(tmp))
        outputs(t, Path(tmp))
        strings(t, Path(tmp))
        kept(t, Path(tmp))
    t.finish()


if __name__ == "__main__":
    main()
