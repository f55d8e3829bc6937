"""What the Python tests share: where things are, the command, and the count at the end.

Environment (set by tests/meson.build): ASSAY = the command, ASSAY_SOURCE = the repository, ASSAY_BUILD = the build folder,
ASSAY_SHARED = the shared data (default: ../shared beside the repository).
"""
import gzip
import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("ASSAY_SOURCE") or Path(__file__).resolve().parents[1])
BUILD = Path(os.environ.get("ASSAY_BUILD") or SOURCE / "build")
ASSAY = os.environ.get("ASSAY") or str(BUILD / "src" / "assay")
SHARED = Path(os.environ.get("ASSAY_SHARED") or SOURCE.parent / "shared")
FIXTURES = SOURCE / "tests" / "data"
SKIP = 77  # exit status that meson counts as skipped


class Tally:
    """Counts single tests and tells what failed."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, ok, label, *detail):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {label}")
            for line in "\n".join(str(d) for d in detail).split("\n")[:30]:
                print(f"    {line}")
        return ok

    def equal(self, got, want, label):
        return self.check(got == want, label, f"got      {got!r}"[:2000], f"expected {want!r}"[:2000])

    def add(self, passed, failed, skipped=0):
        self.passed += passed
        self.failed += failed
        self.skipped += skipped

    def skip(self, label, why, count=1):
        self.skipped += count
        print(f"skipped {label}: {why}")

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.stdout.flush()
        if self.failed:
            sys.exit(1)
        sys.exit(0 if self.passed else SKIP)


def run(*args, **kwargs):
    kwargs.setdefault("capture_output", True)
    return subprocess.run([str(a) for a in args], **kwargs)


def assay(*args, **kwargs):
    return run(ASSAY, *args, **kwargs)


def has_shared():
    return (SHARED / "data").is_dir()


def read_bytes(path):
    """The bytes of a file, unpacked where it is gzip."""
    data = Path(path).read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def said(result):
    """Exit status and the end of what a command said, for messages."""
    return f"exit {result.returncode}: {result.stderr.decode('utf-8', 'replace').strip()[-600:]}"
