#!/usr/bin/env python3
"""The committed page (web/dist) is what its sources (web/src) give, passes the type checker, and is small. Skipped without node and the packages of
web/package.json (./dev test installs them)."""
import gzip
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SKIP, SOURCE, Tally, run, said  # noqa: E402

WEB = SOURCE / "web"
LIMIT = 60 * 1024


def main():
    node = shutil.which("node")
    if not node or not (WEB / "node_modules/esbuild").exists():
        print("skipped: no node, or no packages in web/node_modules (./dev web installs them)")
        sys.exit(SKIP)
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        made = run(node, WEB / "build.mjs", folder, timeout=120)
        if tally.check(made.returncode == 0, "the page is built", said(made)):
            names = sorted(p.name for p in Path(folder).iterdir())
            tally.equal(sorted(p.name for p in (WEB / "dist").iterdir()), names, "the same files")
            for name in names:
                tally.check((WEB / "dist" / name).read_bytes() == (Path(folder) / name).read_bytes(), f"dist/{name} is what the sources give: run ./dev web")
    size = sum(len(gzip.compress((WEB / "dist" / name).read_bytes(), 9)) for name in ("app.js", "app.css"))
    tally.check(size <= LIMIT, f"script and style: {size} bytes compressed, at most {LIMIT}")
    for what, command in (("types", ("typescript/bin/tsc", "--noEmit")), ("format", ("prettier/bin/prettier.cjs", "--check", "src", "build.mjs"))):
        checked = run(node, WEB / "node_modules" / command[0], *command[1:], cwd=WEB, timeout=120)
        tally.check(checked.returncode == 0, what, said(checked))
    tally.finish()


if __name__ == "__main__":
    main()
