#!/usr/bin/env python3
"""What is read of measurements, and the database made of them, is the same however many threads worked; run also where races are looked for."""
import gzip
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hpcrun"))
from support import Tally, assay, said  # noqa: E402
import measurements as make  # noqa: E402


def content(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def harm(folder):
    """Files that are cut, packed, or not there, among others."""
    profiles, traces = sorted(folder.glob("*.hpcrun")), sorted(folder.glob("*.hpctrace"))
    profiles[1].write_bytes(profiles[1].read_bytes()[:-100])
    profiles[4].unlink()
    profiles[4].symlink_to("nowhere")
    profiles[7].write_bytes(gzip.compress(profiles[7].read_bytes(), mtime=0))
    traces[2].write_bytes(traces[2].read_bytes()[:-5])
    traces[3].unlink()
    traces[3].symlink_to("nowhere")


def outcome(threads, args, folder):
    result = assay(args[0], "-j", threads, *args[1:], folder)
    return result.returncode, result.stdout, result.stderr


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        profiles = [make.Profile(rank=r, thread=t) for r in range(3) for t in range(4)]
        for i, p in enumerate(profiles):
            p.values = {node: {m: v * (i + 1) for m, v in row.items()} for node, row in p.values.items() if (node + i) % 4}
            p.metrics[1] = ("INS", "instructions", 1, 100, 0, 3, "")
        make.write_all(folder / "app.m", profiles)
        for threads in (1, 2, 5):
            for more in ((), ("-Mstats",), ("-Mstats", "--compat")):
                target = folder / f"{threads}{'-'.join(more)}"
                result = assay("convert", "--foreign", "-j", threads, *more, folder / "app.m", "--to", "hpcdb", "-o", target)
                tally.check(result.returncode == 0, f"-j {threads} {more}", said(result))
                tally.check(content(target) == content(folder / f"1{'-'.join(more)}"), f"-j {threads} {more}: the same bytes")
        harm(folder / "app.m")
        for args in (["top", "--exact", "--json"], ["info", "--json"], ["info", "--json", "--strict"], ["timeline", "--json"], ["convert", "--to", "assay-json", "-o", "-"]):
            wanted = outcome("1", args, folder / "app.m")
            for threads in ("2", "5", "64"):
                tally.equal(outcome(threads, args, folder / "app.m"), wanted, f"-j {threads} {args}: the same of damaged and missing files")
        result = assay("check", "--deep", folder / "2-Mstats")
        tally.check(result.returncode == 0, "check --deep", result.stdout.decode())
    tally.finish()


if __name__ == "__main__":
    main()
