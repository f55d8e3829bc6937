#!/usr/bin/env python3
"""Libraries that are loaded when they are used, not when the program starts; see src/late/README.md.

    late.py soname LIBRARY CC...              the name under which the loader finds what -lLIBRARY links with
    late.py make LIST SONAME HEADER SOURCE    writes late_NAME.h and late_NAME.c from the list; an empty SONAME: the library is linked as usual

In the header each function, or variable, becomes a member of a table of pointers, with the type that the library's own header declares."""
import subprocess
import sys
import tempfile
from pathlib import Path


def soname(library, compiler):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "needs.so"
        subprocess.run([*compiler, "-shared", "-nostdlib", "-Wl,--no-as-needed", "-o", out, f"-l{library}"], check=True)
        listed = subprocess.run(["readelf", "-d", "-W", out], check=True, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout
    return [line.split("[")[1].split("]")[0] for line in listed.splitlines() if "(NEEDED)" in line][0]


def header(name, includes, functions, is_late):
    begin = f"/* Made by src/late.py. */\n#ifndef LATE_{name.upper()}_H\n#define LATE_{name.upper()}_H\n\n" + "".join(f"{line}\n" for line in includes)
    if not is_late:
        return f'{begin}\n#include "base/late.h"\n\nstatic inline int late_{name}_load(assay_error *err)\n{{\n    (void)err;\n    return 0;\n}}\n\n#endif\n'
    members = "".join(f"    __typeof__(&{f}) {f};\n" for f in functions)
    names = "".join(f"#define {f} (*late_{name}.{f})\n" for f in functions)
    return (f'{begin}\n#include "base/late.h"\n\nextern struct late_{name} {{\n{members}}} late_{name};\n'
            f"/* Before the first use. Errors: UNSUPPORTED: the library is not there. */\nint late_{name}_load(assay_error *err);\n\n{names}\n#endif\n")


def source(name, functions, library):
    if not library:
        return "/* Made by src/late.py: linked as usual. */\ntypedef int late_is_not_used;\n"
    names = "".join(f'    "{f}",\n' for f in functions)
    return (f'/* Made by src/late.py. */\n#include "late_{name}.h"\n\nstruct late_{name} late_{name};\n\nstatic const char *const names[] = {{\n{names}}};\n'
            f'static struct late_library library = {{ .soname = "{library}", .names = names, .count = sizeof names / sizeof *names, .table = &late_{name} }};\n\n'
            f"int late_{name}_load(assay_error *err) {{ return late_load(&library, err); }}\n")


def main():
    if sys.argv[1] == "soname":
        print(soname(sys.argv[2], sys.argv[3:]))
        return
    listed, library, to_header, to_source = sys.argv[2:]
    lines = [line.strip() for line in Path(listed).read_text(encoding="utf-8").splitlines() if line.strip()]
    includes, functions = [x for x in lines if x.startswith("#")], [x for x in lines if not x.startswith("#")]
    name = Path(listed).stem
    Path(to_header).write_text(header(name, includes, functions, bool(library)), encoding="utf-8")
    Path(to_source).write_text(source(name, functions, library), encoding="utf-8")


main()
