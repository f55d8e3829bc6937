#!/usr/bin/env python3
"""embed.py OUT.c STYLE.css SCRIPT.js: the texts as C arrays, for the library to carry along."""
import sys


def array(name, path):
    with open(path, "rb") as f:
        data = f.read()
    rows = [",".join(str(b) for b in data[i : i + 24]) for i in range(0, len(data), 24)]
    return f"const char {name}[] = {{\n" + ",\n".join(rows) + f"\n}};\nconst size_t {name}_len = sizeof {name};\n"


out, style, script = sys.argv[1:]
with open(out, "w", encoding="ascii") as f:
    f.write('#include "report/html/site.h"\n\n' + array("html_style", style) + array("html_script", script))
