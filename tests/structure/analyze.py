#!/usr/bin/env python3
"""Static analysis of every source file of the library and the command: gcc -fanalyzer, and clang-tidy as .clang-tidy says.

  analyze.py [BUILD] [-j N]     BUILD: a folder that was configured and built with gcc (default: build)

A file whose preprocessed text was found clean before is not looked at again; what was found clean is noted in BUILD/lint. Part of './dev lint', not of the
tests: the first run takes minutes.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIDY = "clang-tidy-14"
# gcc 12 forgets what ties a pointer to its length ({NULL, 0}), so that every slice and empty table looks like a NULL that is used, and does not see into
# libdw. A third of its 60 findings of these three kinds were looked at: none was one.
ANALYZER = ["-fanalyzer", "-Wno-analyzer-null-dereference", "-Wno-analyzer-null-argument", "-Wno-analyzer-use-of-uninitialized-value",
            "-fdiagnostics-plain-output", "-Werror", "-o", os.devnull]


def commands(build):
    """Source file -> (folder, compiler with flags), without what names outputs."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = (Path(entry["directory"]) / entry["file"]).resolve()
        if path.suffix != ".c" or ROOT / "src" not in path.parents or path in found:
            continue
        words = [w for w in shlex.split(entry["command"]) if w not in ("ccache", "-MD", "-c", entry["file"], "-fdiagnostics-color=always")]
        kept = [w for i, w in enumerate(words) if w not in ("-o", "-MQ", "-MF") and (i == 0 or words[i - 1] not in ("-o", "-MQ", "-MF"))]
        found[path] = (entry["directory"], kept)
    return found


def run(words, folder):
    r = subprocess.run([str(w) for w in words], cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    return r.returncode, r.stdout + r.stderr


class Analysis:
    def __init__(self, build):
        self.build, self.clean = build, build / "lint"
        self.clean.mkdir(exist_ok=True)
        self.has_tidy = shutil.which(TIDY) is not None
        settings = (ROOT / ".clang-tidy").read_bytes() + Path(__file__).read_bytes() + bytes([self.has_tidy])
        self.salt = hashlib.sha256(settings)

    def look(self, path, folder, compiler):
        """(path, what was found, was it looked at)"""
        code, text = run([*compiler, "-E", path], folder)
        if code != 0:
            return path, text, True
        key = self.salt.copy()
        key.update(" ".join(compiler).encode() + text.encode())
        note = self.clean / key.hexdigest()
        if note.exists():
            return path, "", False
        code, found = run([*compiler, *ANALYZER, "-c", path], folder)
        if self.has_tidy:
            tidy_code, text = run([TIDY, "-p", self.build, "--quiet", path], ROOT)
            found += "".join(line + "\n" for line in text.split("\n") if not re.match(r"\d+ warnings? (generated|treated)", line)) if tidy_code else ""
            code |= tidy_code
        if code == 0:
            note.touch()
        return path, found if code else "", True


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("build", nargs="?", default=ROOT / "build", type=Path)
    ap.add_argument("-j", type=int, default=os.cpu_count() or 2)
    a = ap.parse_args()
    build = a.build.resolve()
    if not (build / "compile_commands.json").exists():
        sys.exit(f"{build}: not configured ('./dev build')")
    work = commands(build)
    compiler = next(iter(work.values()))[1][0]
    if "gcc" not in run([compiler, "-v"], build)[1]:
        sys.exit(f"{build}: built with {compiler}, which is not gcc")
    analysis = Analysis(build)
    if not analysis.has_tidy:
        print(f"no {TIDY}: gcc -fanalyzer only")
    wrong = looked = 0
    with concurrent.futures.ThreadPoolExecutor(a.j) as pool:
        for path, found, is_new in pool.map(lambda job: analysis.look(job[0], *job[1]), sorted(work.items())):
            looked += is_new
            if found:
                wrong += 1
                print(f"{path.relative_to(ROOT)}:\n{found.rstrip()}")
    print(f"static analysis: {len(work)} files, {looked} looked at, {wrong} with findings")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
