#!/usr/bin/env python3
"""Makes assay/_abi.py and assay/_schema.py out of the public headers and the list of the model's tables, so that no layout is written by hand.

  generate.py            writes both files
  generate.py --check    exit status 1 if one of them is not what the headers say
  generate.py --list     the files of the package
  generate.py --layout   a C program that prints the size of every structure and the offset of every member, for the test of the layouts

The headers are plain C in one style: structures, unions, enumerations, types of functions, and prototypes that begin with ASSAY_API. Anything else is an
error here, so that a new construct is noticed.
"""
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADERS = HERE.parent / "include" / "assay"
SCHEMA = HERE.parent / "src" / "model" / "schema.def"
LEFT_OUT = {"hpcrun_fmt", "analysis"}  # the first is for programs that write measurements, the other includes the rest

SCALARS = {"char": "c_char", "bool": "c_bool", "int": "c_int", "unsigned": "c_uint", "size_t": "c_size_t", "double": "c_double", "uint8_t": "c_uint8",
           "uint16_t": "c_uint16", "uint32_t": "c_uint32", "uint64_t": "c_uint64", "int64_t": "c_int64"}


class Header:
    """What the headers declare, in their order."""

    def __init__(self):
        self.constants = {}  # name -> number
        self.records = {}    # name -> (struct or union, [(member, type, pointee or None, length or None)])
        self.tags = {}       # name -> whether it is written with `struct` before it
        self.enums = set()
        self.callbacks = {}  # name -> (result, [types])
        self.functions = {}  # name -> (result, [types])

    def read(self, text):
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        for name, value in re.findall(r"^#define (ASSAY_\w+) (.+)$", text, re.M):
            if not name.endswith("_H") and name not in ("ASSAY_API", "ASSAY_FROM_PATH"):
                self.constants[name] = self.number(value.rstrip("\\").strip())
        text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif$", "", text, flags=re.M | re.S)
        text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.M | re.S)
        for part in declarations(text):
            self.declare(" ".join(part.split()))

    def number(self, text):
        text = re.sub(r"(?<=[0-9a-fA-F])[uU]?[lL]*\b", "", text.replace("UINT32_MAX", "0xffffffff"))
        known = {name: value for name, value in self.constants.items() if name in text}
        return int(eval(text, {"__builtins__": {}}, known))  # numbers, names of constants, << and |

    def declare(self, text):
        if m := re.fullmatch(r"(?:typedef )?(struct|union) (\w+)? ?\{(.*)\} ?(\w+)?", text):
            kind, tag, body, alias = m.groups()
            self.records[alias or tag] = (kind, [f for line in body.split(";") if line.strip() for f in self.members(line.strip())])
            self.tags[alias or tag] = not alias
        elif m := re.fullmatch(r"(?:typedef )?enum (\w+)? ?\{(.*)\} ?(\w+)?", text):
            self.enumerate(m.group(1), m.group(2))
        elif m := re.fullmatch(r"typedef (.+?) ?\(\*(\w+)\)\((.*)\)", text):
            self.callbacks[m.group(2)] = (self.value(m.group(1)), self.arguments(m.group(3)))
        elif m := re.fullmatch(r"ASSAY_API (.+?[ *])(\w+)\((.*)\)", text):
            self.functions[m.group(2)] = (self.value(m.group(1).strip()), self.arguments(m.group(3)))
        elif not re.fullmatch(r"(typedef )?struct \w+( \w+)?", text):
            raise SystemExit(f"generate.py: cannot read this declaration: {text}")

    def enumerate(self, name, body):
        if name:
            self.enums.add(name)
        value = -1
        for item in filter(None, (i.strip() for i in body.split(","))):
            key, _, said = item.partition("=")
            value = self.number(said) if said else value + 1
            self.constants[key.strip()] = value

    def members(self, line):
        """`const T *a, *b` or `T a, b[N]`, or a pointer to a function."""
        if m := re.fullmatch(r".+?\(\*(\w+)\)\(.*\)", line):
            return [(m.group(1), "c_void_p", None, None)]
        m = re.match(r"((?:struct |enum |union )?\w+)\s+(.*)", re.sub(r"\s*\bconst\b\s*", " ", line).strip())
        base, rest = m.groups()
        out = []
        for item in rest.split(","):
            item = item.strip()
            stars, name, length = re.fullmatch(r"((?:\* ?)*)(\w+)(?:\[(\w+)\])?", item).groups()
            depth = stars.count("*")
            size = self.constants.get(length, int(length) if (length or "").isdigit() else None) if length else None
            out.append((name, *self.member_type(base, depth), size))
        return out

    def member_type(self, base, depth):
        if depth == 0:
            return self.value(base), None
        if depth == 1 and base == "char":
            return "c_char_p", None
        return "c_void_p", "c_void_p" if depth > 1 else (None if base == "void" else self.value(base, inside=True))

    def value(self, text, inside=False):
        """The type of a member or result, or of an argument."""
        text = re.sub(r"\s*\bconst\b\s*", " ", text).strip()
        if text == "void":
            return "None"
        if text.replace(" ", "") == "char*":
            return "c_char_p"
        if "*" in text or text in self.callbacks:
            return "c_void_p"
        if text in SCALARS:
            return SCALARS[text]
        name = text.removeprefix("struct ").removeprefix("union ")
        if text.startswith("enum "):
            return "c_int"
        return name if name in self.records or inside else "c_void_p"

    def arguments(self, text):
        out = []
        for item in filter(None, (i.strip() for i in text.split(","))):
            if item == "void":
                continue
            m = re.fullmatch(r"(.+?[ *])(?:const )?(\w+)(\[\w+\])?", item)
            kind = self.value(m.group(1).strip() + ("*" if m.group(3) else ""))
            is_written = kind == "c_char_p" and "const" not in m.group(1)
            out.append("c_void_p" if is_written else "c_uint64" if kind == "assay_value" else kind)  # a union of 64 bits travels as an integer
        return out


def declarations(text):
    """The text between semicolons outside of braces."""
    depth = start = 0
    for at, c in enumerate(text):
        depth += (c == "{") - (c == "}")
        if c == ";" and depth == 0:
            yield text[start:at]
            start = at + 1


def read_headers():
    header = Header()
    order = ["error", "model", "build", "cancel", "format", "filter", "top", "diff", "report"]
    names = order + sorted(p.stem for p in HEADERS.glob("*.h") if p.stem not in LEFT_OUT | set(order))
    for name in names:
        header.read((HEADERS / f"{name}.h").read_text(encoding="utf-8"))
    return header


# ---- what is written ----

NOTE = '"""{}\n\nMade by python/generate.py: do not edit."""\n'


def abi(header):
    out = [NOTE.format("Structures, constants and functions of libassay."), "from ctypes import (CFUNCTYPE, Structure, Union, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64,\n                    c_void_p)", ""]
    out += textwrap.wrap("; ".join(f"{name}\0=\0{value}" for name, value in header.constants.items()), 150)
    out = [line.rstrip(";").replace("\0", " ") for line in out] + [""]
    for name, (kind, members) in header.records.items():
        base = "Structure" if kind == "struct" else "Union"
        pointees = {m: of for m, _, of, _ in members if of and (of.startswith("c_") or of in header.records)}
        fields = ", ".join(f'("{m}", {t}{f" * {n}" if n is not None else ""})' for m, t, _, n in members)
        out += ["", f"class {name}({base}):", f"    _fields_ = [{fields}]"]
        if pointees:
            out += ["    of = {" + ", ".join(f'"{m}": "{t}"' for m, t in pointees.items()) + "}"]
    out += ["", "", "# name: (result, arguments)", "FUNCTIONS = {"]
    out += [f'    "{name}": ({result}, [{", ".join(args)}]),' for name, (result, args) in header.functions.items()]
    out += ["}", "", "CALLBACKS = {"]
    # Text is bytes and a length: ctypes must not look for its end.
    out += [f'    "{name}": CFUNCTYPE({", ".join([result, *("c_void_p" if a == "c_char_p" else a for a in args)])}),' for name, (result, args) in header.callbacks.items()]
    return "\n".join(out + ["}", ""])


def strip_json(text):
    m = re.fullmatch(r'(?:MUST|MAY)\("(\w+)"\)', text)
    return m.group(1) if m else None


def split(text):
    """Arguments of a macro: commas in quotes and brackets do not count."""
    return [part.strip() for part in re.findall(r'((?:"[^"]*"|\([^)]*\)|[^,"(])+)', text)]


def words_of():
    """The words of columns that are one of several, or flags."""
    found = re.findall(r"^WORDS\((\w+), (.*)\)$", SCHEMA.with_suffix(".c").read_text(encoding="utf-8"), re.M)
    return {name: re.findall(r'"([^"]*)"', words) for name, words in found}


def schema():
    text = SCHEMA.read_text(encoding="utf-8")
    columns = {}
    for name, body in re.findall(r"^#define (SCHEMA_\w+)\(C, T\) \\\n(.*?)(?<!\\)$", text, re.M | re.S):
        columns[name] = [split(row) for row in re.findall(r"C\(T, (.*?)\)\s*(?:\\?\n|\\?$)", body + "\n")]
    out = [NOTE.format("The tables of the model and their columns: (name, member of the structure, type, its words, what it is)."), ""]
    out += ["# name: (structure, member that counts rows, function of the profile, how rows are numbered, title, columns)", "TABLES = {"]
    for row in re.findall(r"^    T\((.*)\)", text, re.M):
        _, listed, record, count, member, _, _, numbered, _, name, _, title = split(row)
        out.append(f'    {name}: ("{record}", "{count}", "assay_profile_{member}", "{numbered}", {title}, [')
        for c in columns[listed]:
            _, public, kind, role, _, json_name, words, _, text_of = c
            if role != "LAYOUT":
                out.append(f'        ("{strip_json(json_name) or public}", "{public}", "{kind}", {words_of().get(words)}, {text_of}),')
        out.append("    ]),")
    return "\n".join(out + ["}", ""])


def layout(header):
    out = ["#include <assay/assay.h>", "#include <stddef.h>", "#include <stdio.h>", "int main(void)", "{"]
    for name, (kind, members) in header.records.items():
        typed = f"{kind} {name}" if header.tags[name] else name
        out.append(f'    printf("{name} %zu\\n", sizeof({typed}));')
        out += [f'    printf("{name}.{m} %zu\\n", offsetof({typed}, {m}));' for m, _, _, _ in members]
    return "\n".join(out + ["    return 0;", "}", ""])


def main():
    if sys.argv[1:] == ["--list"]:
        print(*sorted(f"assay/{p.name}" for p in (HERE / "assay").iterdir() if p.suffix == ".py" or p.name == "py.typed"), sep="\n")
        return 0
    header = read_headers()
    if sys.argv[1:] == ["--layout"]:
        sys.stdout.write(layout(header))
        return 0
    stale = 0
    for name, text in (("_abi.py", abi(header)), ("_schema.py", schema())):
        path = HERE / "assay" / name
        if sys.argv[1:] == ["--check"]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"python/assay/{name} is not what the headers say: run python/generate.py")
                stale = 1
        else:
            path.write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main())
