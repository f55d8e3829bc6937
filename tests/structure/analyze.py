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
ANALYZER = ["-fanalyzer", "-fdiagnostics-plain-output", "-Werror", "-o", os.devnull]

# What gcc 12 says and is not so: (file, check) -> why. Every one was read; one that no longer comes up is reported. Most of them are of one kind: it forgets what
# ties a pointer to a length or to another field ({NULL, 0}).
EXCEPTIONS = {
    ("src/analysis/coverage/stated.c", "null-dereference"): "pair_of knows every kind of the table `compared`, which is all it is asked for",
    ("src/analysis/core/line_cost.c", "null-dereference"): "costs come from the lines or from the graph, and the table that is walked is the one of the two that is there",
    ("src/analysis/select/timeline.c", "null-dereference"): "without `weights` there is no `no_weight` either, and rc is an error",
    ("src/analysis/core/value.h", "null-dereference"): "sums of type ASSAY_F64 have errors; make_sums allocates both",
    ("src/base/input_block.c", "null-dereference"): "take gives a chunk whenever it returns 0",
    ("src/base/json_read.c", "null-argument"): "three bytes between `at` and `end` are not at NULL",
    ("src/base/json_read.c", "null-dereference"): "p < end holds before every byte that is read; NULL to NULL has none",
    ("src/base/slice.h", "null-argument"): "a slice of at least one byte has data; lengths are compared first",
    ("src/base/slice.h", "null-dereference"): "the same",
    ("src/cli/cov/change.c", "null-dereference"): "rc is 0 only where the changes were read",
    ("src/cli/cov/config.c", "null-argument"): "--get and --get-all are refused without a name, so that there is a key",
    ("src/cli/options.c", "null-argument"): "the parser refuses an option without its value; only OPTION_FLAG and OPTION_FORM go without",
    ("src/cli/options.c", "null-dereference"): "the same",
    ("src/formats/coverage/xml.c", "null-argument"): "the length equals that of a word that is not empty",
    ("src/formats/hpcdb/write_meta.c", "use-of-uninitialized-value"): "the slice is what a function of another file returned, whole",
    ("src/formats/lcov/decode_fields.c", "null-argument"): "a comma was found after `at`",
    ("src/formats/lcov/write.c", "null-dereference"): "vec_reserve gave room for all rows between `from` and `at`; for none the loop does not run",
    ("src/report/tree_text.c", "use-of-uninitialized-value"): "the slice is what a function of another file returned, whole",
    ("src/store/config.c", "null-argument"): "three bytes between `at` and `end` are not at NULL",
    ("src/store/config.c", "null-dereference"): "`at` is read only before `end`; NULL to NULL has no bytes",
    ("src/store/props.c", "null-argument"): "error_memory never returns 0, so that the copy is there",
    ("src/symbols/loops_place.c", "use-of-uninitialized-value"): "loops_frames fills as many frames as it says, and only those are read",
    ("src/symbols/structure_index.c", "null-dereference"): "scopes are added only where there is a table",
}


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


def judged(text, folder):
    """(what is left of gcc's findings, exceptions that were used). A finding begins with its error and has notes and a trace behind it; the same one comes up
    once for each way that leads to it."""
    left, used, seen, is_kept = [], set(), set(), True
    for line in text.split("\n"):
        found = re.match(r"(\S+?):\d+:\d+: error: .*\[-Werror=analyzer-([a-z-]+)\]", line)
        if found:
            path = (Path(folder) / found[1]).resolve()
            key = (str(path.relative_to(ROOT)) if ROOT in path.parents else str(path), found[2])
            used |= {key} & EXCEPTIONS.keys()
            is_kept = key not in EXCEPTIONS and line not in seen
            seen.add(line)
        elif re.match(r"(\S+: )?In function|\s+inlined from|In file included|\s+from |cc1: |\S+: At top level", line):
            continue
        elif ": error: " in line or ": warning: " in line:
            is_kept = True
        if is_kept and line.strip():
            left.append(line)
    return "\n".join(left), used


class Analysis:
    def __init__(self, build):
        self.build, self.clean = build, build / "lint"
        self.clean.mkdir(exist_ok=True)
        self.has_tidy = shutil.which(TIDY) is not None
        self.salt = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + " ".join(ANALYZER).encode() + bytes([self.has_tidy]))

    def look(self, path, folder, compiler):
        """(path, what was found, exceptions that were used, was it looked at)"""
        code, text = run([*compiler, "-E", path], folder)
        if code != 0:
            return path, text, set(), True
        key = self.salt.copy()
        key.update(" ".join(compiler).encode() + text.encode())
        note = self.clean / key.hexdigest()
        used = {tuple(line.split()) for line in note.read_text(encoding="utf-8").split("\n") if line} if note.exists() else None
        if used is not None and used <= EXCEPTIONS.keys():
            return path, "", used, False
        code, text = run([*compiler, *ANALYZER, "-c", path], folder)
        found, used = judged(text, folder) if code else ("", set())
        if code and not found and not used:
            found = text
        if self.has_tidy:
            code, text = run([TIDY, "-p", self.build, "--quiet", path], ROOT)
            found += "".join(line + "\n" for line in text.split("\n") if not re.match(r"\d+ warnings? (generated|treated)", line)) if code else ""
        if not found:
            note.write_text("".join(" ".join(e) + "\n" for e in sorted(used)), encoding="utf-8")
        return path, found, used, True


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
    unused = set(EXCEPTIONS)
    with concurrent.futures.ThreadPoolExecutor(a.j) as pool:
        for path, found, used, is_new in pool.map(lambda job: analysis.look(job[0], *job[1]), sorted(work.items())):
            looked += is_new
            unused -= used
            if found:
                wrong += 1
                print(f"{path.relative_to(ROOT)}:\n{found.rstrip()}")
    for path, check in sorted(unused):
        print(f"{path}: the exception for {check} is no longer needed")
    print(f"static analysis: {len(work)} files, {looked} looked at, {wrong} with findings, {len(EXCEPTIONS)} exceptions")
    sys.exit(1 if wrong or unused else 0)


if __name__ == "__main__":
    main()
