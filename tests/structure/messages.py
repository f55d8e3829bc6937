#!/usr/bin/env python3
"""The library does not know the command: no text of it names one of the command's options. src/cli does that, in one place (hints.c); src/report prints
what the verbs print, with tables of options that are the command's, too (src/base/option_table.h holds those that are shared), and src/server tells the page which
command prints what it shows."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SOURCE, Tally  # noqa: E402

TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMMENT = re.compile(r"/\*.*?\*/", re.S)
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
OTHER_TOOLS = re.compile(r"\b(?:gcov --json-format|gcovr --json)\b")
CSS = re.compile(r'style=\\"--[a-z]')
COMMAND = [SOURCE / "src" / "cli", SOURCE / "src" / "mpi", SOURCE / "src" / "report", SOURCE / "src" / "server", SOURCE / "src" / "base" / "option_table.h"]


def is_library(path):
    return not any(f in (path, *path.parents) for f in COMMAND)


def options_in(path):
    code = COMMENT.sub("", path.read_text(encoding="utf-8"))
    return [o for text in TEXT.findall(code) for o in OPTION.findall(CSS.sub("", OTHER_TOOLS.sub("", text)))]


def main():
    tally = Tally()
    for path in sorted((SOURCE / "src").rglob("*.[ch]")):
        if is_library(path):
            found = options_in(path)
            tally.check(not found, f"{path.relative_to(SOURCE)}: names no option of the command", *found)
    tally.finish()


if __name__ == "__main__":
    main()
