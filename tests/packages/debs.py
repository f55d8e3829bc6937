#!/usr/bin/env python3
"""Debian packages as files: what lintian says of them, and that two builds are the same bytes.

  debs.py FOLDER OTHER_FOLDER      what `./dev package` made in each
"""
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import Tally, run, said  # noqa: E402

PACKAGES = {"assay", "assay-doc", "libassay-dev", "libassay0", "python3-assay"}


def complete(tally, folder):
    made = {p.name.split("_")[0] for p in folder.glob("*.deb")}
    tally.check(PACKAGES <= made, "all packages are built", sorted(made))


def equal(tally, folder, other):
    for path in sorted([*folder.glob("*.deb"), *folder.glob("*.tar.xz")]):
        tally.check(path.read_bytes() == (other / path.name).read_bytes(), f"{path.name}: two builds are the same bytes")


def clean(tally, folder):
    if not shutil.which("lintian"):
        tally.skip("lintian", "it is not installed")
        return
    changes = next(folder.glob("*.changes"))
    result = run("lintian", "--profile", "debian", "--allow-root", "--fail-on", "error", changes)
    tally.check(result.returncode == 0, "lintian finds no error", said(result), result.stdout.decode())


def main():
    tally = Tally()
    folder, other = map(Path, sys.argv[1:])
    complete(tally, folder)
    equal(tally, folder, other)
    clean(tally, folder)
    tally.finish()


if __name__ == "__main__":
    main()
