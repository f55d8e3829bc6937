#!/usr/bin/env python3
"""Dumps of measurement files: the style hpcproftt is the original's text line by line; our own names each record with its offset, and what
stands there is what it says."""
import re
import struct
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import SHARED, Tally, assay, has_shared, said  # noqa: E402

DATA = SHARED / "data" / "hpcrun"
NODE_02 = re.compile(r"^([0-9a-f]{8})   cct-node\[\d+\] node-id (-?\d+) parent-id (\d+) ip 0x([0-9a-f]+) metric-data ([^ ]+)$", re.M)
NODE_04 = re.compile(r"^([0-9a-f]{8})   cct-node\[\d+\] node-id (\d+) parent-id (\d+) lm-id (\d+) ip 0x([0-9a-f]+) flags 0x(\d+)$", re.M)
INDEX = re.compile(r"^([0-9a-f]{8})   node-with-values\[\d+\] node-id (\d+)(?: \(end\))? first-value (\d+)$", re.M)
VALUE = re.compile(r"^([0-9a-f]{8})   value\[\d+\] (\S+) metric-id (\d+)$", re.M)
SAMPLE = re.compile(r"^([0-9a-f]{8})   sample\[\d+\] time (\d+) node-id (\d+)$", re.M)


def originals(tally):
    with tarfile.open(DATA / "files" / "dumps.tar.gz") as archive:
        for member in archive:
            if not member.isfile():
                continue
            name = Path(member.name).name.removesuffix(".txt")
            want = archive.extractfile(member).read().decode()
            result = assay("dump", "--style", "hpcproftt", name, cwd=DATA / "files")
            if not tally.check(result.returncode == 0, f"{name}: is printed", said(result)):
                continue
            got = result.stdout.decode()
            different = [(n, a, b) for n, (a, b) in enumerate(zip(got.split("\n"), want.split("\n")), 1) if a != b]
            tally.check(got == want, f"{name}: the original's text", *different[:5])


def unpacked(tally, path, pattern, layout, convert, least):
    """Each line that matches is compared with the bytes at its offset."""
    result = assay("dump", path)
    data = path.read_bytes()
    rows = pattern.findall(result.stdout.decode()) if result.returncode == 0 else []
    wrong = [row for row in rows if convert(row[1:]) != struct.unpack_from(layout, data, int(row[0], 16))]
    tally.check(len(rows) >= least and not wrong, f"{path.name}: {len(rows)} records are what stands at their offsets", *wrong[:5])


def own(tally):
    loops = DATA / "files" / "testmeas-loops-000000-000-11ac0300-5176-0.hpcrun"
    trace = DATA / "files" / "testmeas-loops-000000-000-11ac0300-4974-0.hpctrace"
    unpacked(tally, DATA / "seed" / "one-epoch.hpcrun", NODE_02, "<iiQQ", lambda r: (int(r[0]), int(r[1]), int(r[2], 16), int(r[3])), 6)
    unpacked(tally, loops, NODE_04, ">IIHQB", lambda r: (int(r[0]), int(r[1]), int(r[2]), int(r[3], 16), int(r[4])), 50)
    unpacked(tally, loops, INDEX, ">IQ", lambda r: (int(r[0]), int(r[1])), 40)
    unpacked(tally, loops, VALUE, ">dH", lambda r: (float(r[0]), int(r[1])), 46)
    unpacked(tally, trace, SAMPLE, ">QI", lambda r: (int(r[0]), int(r[1])), 100)


def damaged(tally):
    """A dump goes on past damage and marks it, in both styles."""
    for path in sorted((DATA / "damaged").glob("*.hpc[rt]*")):
        if path.suffix not in (".hpcrun", ".hpctrace"):
            continue
        for style in ((), ("--style", "hpcproftt")):
            result = assay("dump", *style, path)
            tally.check(result.returncode == 3 or result.returncode == 0, f"{path.name}: ends well", said(result))
    for name, mark in (("no-footer-magic", "HRC06"), ("seed-cut", "HRC04"), ("section-past-end", "HRC07")):
        for style in ((), ("--style", "hpcproftt")):
            result = assay("dump", *style, DATA / "damaged" / f"{name}.hpcrun")
            tally.check(mark in result.stdout.decode(), f"{name}: {mark} is marked", said(result))


def main():
    tally = Tally()
    if not has_shared():
        tally.skip("dumps", "no shared data")
        tally.finish()
    originals(tally)
    own(tally)
    damaged(tally)
    unknown = assay("dump", "--style", "nonsense", DATA / "seed" / "empty.hpcrun")
    tally.check(unknown.returncode != 0, "a style that is not known is refused", said(unknown))
    tally.finish()


if __name__ == "__main__":
    main()
