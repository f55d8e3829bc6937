#!/usr/bin/env python3
"""Same input, same bytes: whatever the locale, the time zone, the folder, the number of threads and the time of day."""
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import FIXTURES, Tally, assay, run, said  # noqa: E402

TARGETS = ("callgrind", "webgrind:7", "webgrind:6", "webgrind:5", "webgrind:4")


def environments():
    """The first is the one that the others are compared with."""
    yield {"LC_ALL": "C", "TZ": "UTC"}
    known = run("locale", "-a").stdout.decode("ascii", "replace").split() if shutil.which("locale") else []
    for name in ("C.utf8", "C.UTF-8", "de_DE.utf8", "tr_TR.utf8"):
        if name in known:
            yield {"LC_ALL": name, "TZ": "Asia/Kathmandu"}
    # a locale that is not there, a time zone of the caller's making, another home
    yield {"LC_ALL": "de_DE.UTF-8", "TZ": "XYZ-13:37", "HOME": "/", "COLUMNS": "20", "LINES": "3"}


def runs():
    """Commands that write to OUT or standard output."""
    for path in sorted(FIXTURES.iterdir()):
        if path.suffix in (".c", ".sh", ".md"):
            continue
        for verb in (["info"], ["info", "--json"], ["top"], ["top", "--json"], ["top", "--csv"], ["check"], ["dump"]):
            yield f"{' '.join(verb)} {path.name}", [*verb, path]
        for target in TARGETS:
            yield f"convert {path.name} --to {target}", ["convert", path, "--to", target, "-o", "-"]


def main():
    tally = Tally()
    everywhere = list(environments())
    clean = {k: v for k, v in os.environ.items() if not k.startswith("LC_") and k not in ("LANG", "LANGUAGE", "TZ")}
    with tempfile.TemporaryDirectory() as tmp:
        for label, args in runs():
            results = [assay(*args, env={**clean, **e}, cwd=c) for e, c in zip(everywhere + everywhere[:1], [None, tmp] * len(everywhere))]
            outs = {(r.returncode, r.stdout) for r in results}
            tally.check(len(outs) == 1 and results[0].returncode in (0, 1, 3, 4), label, *[said(r) + f", {len(r.stdout)} bytes" for r in results])
    tally.finish()


if __name__ == "__main__":
    main()
