#!/usr/bin/env python3
"""embed.py OUT.c NAME STYLE.css SCRIPT.js: the texts as the C arrays NAME_style and NAME_script, for the program to carry along."""
import sys


def array(name, path):
    with open(path, "rb") as f:
        data = f.read()
    rows = [",".join(str(b) for b in data[i : i + 24]) for i in range(0, len(data), 24)]
    declared = f"extern const char {name}[];\nextern const size_t {name}_len;\n"
    return declared + f"const char {name}[] = {{\n" + ",\n".join(rows) + f"\n}};\nconst size_t {name}_len = sizeof {name};\n"


out, prefix, style, script = sys.argv[1:]
with open(out, "w", encoding="ascii") as f:
    f.write("#include <stddef.h>\n\n" + array(f"{prefix}_style", style) + array(f"{prefix}_script", script))
