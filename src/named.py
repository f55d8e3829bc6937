#!/usr/bin/env python3
"""The questions of src/query/named as a table of C: NAME.sql, whose first line is a comment that says what it answers.

    named.py list               their files, one a line, as src/meson.build has them
    named.py make OUT FILE...   writes OUT"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def quoted(text):
    lines = text.replace("\\", "\\\\").replace('"', '\\"').split("\n")
    return "\n        ".join(f'"{line}\\n"' for line in lines if line) or '""'


def entry(path):
    head, _, sql = Path(path).read_text(encoding="utf-8").partition("\n")
    assert head.startswith("-- "), f"{path}: the first line is no comment"
    return f'    {{ "{Path(path).stem}", "{head[3:]}",\n        {quoted(sql)} }},\n'


def main():
    if sys.argv[1] == "list":
        print("\n".join(p.relative_to(HERE).as_posix() for p in sorted((HERE / "query" / "named").glob("*.sql"))))
        return
    rows = "".join(entry(p) for p in sorted(sys.argv[3:], key=lambda p: Path(p).stem))
    Path(sys.argv[2]).write_text("/* Made by src/named.py. */\n#include \"query/named.h\"\n\n"
                                 f"const struct assay_named_query query_named[] = {{\n{rows}    {{ NULL, NULL, NULL }},\n}};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
