#!/usr/bin/env python3
"""embed.py OUT.c NAME STYLE.css SCRIPT.js [PAGE.html ICON.svg MORE.js]: the texts as the C arrays NAME_style, NAME_script, NAME_markup, NAME_icon and NAME_more,
for the program to carry along."""
import sys


def array(name, path):
    with open(path, "rb") as f:
        data = f.read()
    rows = [",".join(str(b) if b < 128 else f"(char){b}" for b in data[i : i + 24]) for i in range(0, len(data), 24)]
    declared = f"extern const char {name}[];\nextern const size_t {name}_len;\n"
    return declared + f"const char {name}[] = {{\n" + ",\n".join(rows) + f"\n}};\nconst size_t {name}_len = sizeof {name};\n"


out, prefix, *paths = sys.argv[1:]
with open(out, "w", encoding="ascii") as f:
    f.write("#include <stddef.h>\n\n" + "".join(array(f"{prefix}_{part}", path) for part, path in zip(("style", "script", "markup", "icon", "more"), paths)))
