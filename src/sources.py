#!/usr/bin/env python3
"""What the build is made of, found instead of listed: a file or a format is added by putting it into its folder.

    sources.py library | command | mpi      the C files, one a line
    sources.py tests                  the C files of tests that have a main() of their own: test_*.c, fuzz_*.c
    sources.py formats OUT FILE...    writes OUT: the table of the formats that FILEs define, by name
    sources.py verbs OUT FILE...      the same of the verbs that report, in their order
    sources.py names                  their names, one a line, for the man pages
    sources.py symbols FILE...        the formats that FILEs define, one a line: name, symbol

src/cli is the command, src/mpi what the same command needs to run in several processes, everything else the library. An entry of the table is a `const struct format NAME_format = {`, whose `.info` begins with the
name of the format; of a verb it is a `const struct report_verb NAME_verb = {`, which begins with its order. `./dev build` configures again when files come or go; with bare ninja, run `meson setup --reconfigure build`."""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENTRY = re.compile(r'^const struct format (\w+) = \{\s*\.info = \{ (?:\.name = )?"([^"]+)"', re.M)

VERB = re.compile(r'^const struct report_verb (\w+) = \{\s*\.order = (\d+),', re.M)


def sources(what):
    found = sorted(p.relative_to(HERE).as_posix() for p in HERE.rglob("*.c"))
    folder = {"command": "cli", "mpi": "mpi"}
    return [p for p in found if (p.split("/")[0] in folder.values() and p.split("/")[0] or None) == folder.get(what)]


def tests():
    folder = HERE.parent / "tests"
    return sorted(p.relative_to(folder).as_posix() for kind in ("test", "fuzz") for p in folder.rglob(f"{kind}_*.c"))


def formats(paths):
    return sorted((name, symbol) for p in paths for symbol, name in ENTRY.findall(Path(p).read_text(encoding="utf-8")))


def table(paths):
    entries = formats(paths)
    declared = "".join(f"extern const struct format {symbol};\n" for _, symbol in entries)
    listed = "".join(f"    &{symbol},\n" for _, symbol in entries)
    return (f"/* Made by src/sources.py. */\n#include \"registry.h\"\n\n{declared}\n"
            f"const struct format *const registry_formats[] = {{\n{listed}    NULL,\n}};\nconst size_t registry_format_count = {len(entries)};\n")


def verbs(paths):
    entries = sorted((int(order), symbol) for p in paths for symbol, order in VERB.findall(Path(p).read_text(encoding="utf-8")))
    declared = "".join(f"extern const struct report_verb {symbol};\n" for _, symbol in entries)
    listed = "".join(f"    &{symbol},\n" for _, symbol in entries)
    return (f"/* Made by src/sources.py. */\n#include \"report/verb.h\"\n\n{declared}\n"
            f"const struct report_verb *const report_verbs[] = {{\n{listed}    NULL,\n}};\n")


def names():
    """The summary has no word of its own."""
    found = re.findall(r'^    \.about = \{ "(\w+)"', "".join(p.read_text(encoding="utf-8") for p in sorted((HERE / "report" / "verbs").glob("*.c"))), re.M)
    return [name for name in found if name != "summary"]


def main():
    if sys.argv[1] in ("formats", "verbs"):
        made = {"formats": table, "verbs": verbs}[sys.argv[1]](sys.argv[3:])
        Path(sys.argv[2]).write_text(made, encoding="utf-8")
    elif sys.argv[1] == "symbols":
        print("\n".join(" ".join(entry) for entry in formats(sys.argv[2:])))
    elif sys.argv[1] == "tests":
        print("\n".join(tests()))
    else:
        print("\n".join(names() if sys.argv[1] == "names" else sources(sys.argv[1])))


if __name__ == "__main__":
    main()
