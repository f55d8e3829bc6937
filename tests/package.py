#!/usr/bin/env python3
"""The installed package: install into a folder, build the examples against it by pkg-config, and run them with the library that lies there.

  package.py BUILD_FOLDER
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import FIXTURES, SOURCE, Tally, run, said  # noqa: E402

WARNINGS = ["-std=c17", "-Wall", "-Wextra", "-Werror"]


def install(tally, build, stage):
    env = {**os.environ, "DESTDIR": str(stage)}
    result = run("meson", "install", "-C", build, "--no-rebuild", env=env)
    return tally.check(result.returncode == 0, "meson install", said(result), result.stdout.decode()[-800:])


def flags(tally, prefix, pc):
    env = {**os.environ, "PKG_CONFIG_PATH": str(pc.parent)}
    result = run("pkg-config", f"--define-variable=prefix={prefix}", "--cflags", "--libs", "assay", env=env)
    tally.check(result.returncode == 0, "pkg-config --cflags --libs assay", said(result))
    return result.stdout.decode().split()


def build_examples(tally, options, library, tmp):
    for source in sorted((SOURCE / "examples").glob("*.c")):
        program = Path(tmp) / source.stem
        result = run("gcc", *WARNINGS, "-o", program, source, *options)
        if not tally.check(result.returncode == 0, f"{source.name}: builds against the installed package", said(result)):
            continue
        env = {**os.environ, "LD_LIBRARY_PATH": str(library)}
        profile = Path(tmp) / "profile"  # a copy: an example may write what it is given
        shutil.copyfile(FIXTURES / "demo.callgrind", profile)
        result = run(program, profile, env=env)
        tally.check(result.returncode == 0, f"{source.name}: runs", said(result), result.stdout.decode()[-500:])


def installed_command(tally, prefix, library):
    env = {**os.environ, "LD_LIBRARY_PATH": str(library)}
    result = run(prefix / "bin" / "assay", "--version", env=env)
    tally.check(result.returncode == 0 and b"assay" in result.stdout, "the installed command runs", said(result))


def main():
    tally = Tally()
    build = sys.argv[1]
    with tempfile.TemporaryDirectory() as tmp:
        stage = Path(tmp) / "stage"
        if install(tally, build, stage):
            configs = list(stage.rglob("assay.pc"))
            if tally.equal(len(configs), 1, "one assay.pc is installed"):
                library = configs[0].parents[1]
                header = next(stage.rglob("assay/assay.h"))
                prefix = header.parents[2]
                options = flags(tally, prefix, configs[0])
                tally.check(f"-I{prefix}/include" in options, "pkg-config names the installed headers", options)
                build_examples(tally, options, library, tmp)
                installed_command(tally, prefix, library)
    tally.finish()


if __name__ == "__main__":
    main()
