#!/usr/bin/env python3
"""A man page of section 3 out of a public header: its declarations in their order, and what the comments say of them.

  header.py --list FOLDER             the headers that have functions
  header.py HEADER VERSION            the page, on standard output

The comment at the head of the file becomes the description; a comment before declarations stands after them as text; "---- x ----" begins a section.
"""
import os
import re
import sys
import textwrap
import time
from pathlib import Path

WIDTH = 76  # of code, so that it fits into a terminal


def functions(text):
    """The prototypes, each in one line."""
    return [" ".join(m.split()) for m in re.findall(r"^ASSAY_API (.*?;)", text, re.M | re.S)]


def name_of(prototype):
    return re.search(r"(\w+)\(", prototype).group(1)


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def uncomment(comment):
    """The lines of a comment without its marks."""
    lines = comment.strip()[2:-2].split("\n")
    return [re.sub(r"^ \*( |$)", "", line).rstrip() if n else line.strip() for n, line in enumerate(lines)]


# ---- text ----

def paragraphs(lines):
    """("text" | "item" | "code", lines) of what a comment says."""
    found = []
    for line in lines:
        kind = "code" if line.startswith("    ") else "item" if line.startswith("- ") else "text"
        if not line.strip():
            found.append(["end", []])
        elif kind == "item" or not found or found[-1][0] == "end" or (kind == "code") != (found[-1][0] == "code"):
            found.append([kind, [line]])
        else:
            found[-1][1].append(line)
    return [(kind, lines) for kind, lines in found if lines]


def put_text(out, lines, begin):
    """`begin` is what stands before the first paragraph."""
    for n, (kind, part) in enumerate(paragraphs(lines)):
        if kind == "code":
            put_code(out, [line[4:] for line in part], ".PP" if n or begin else "")
            continue
        words = " ".join(line.strip() for line in part)
        if kind == "item":
            out += [".IP \\(bu 3"]
            words = words[2:]
        elif n or begin:
            out += [".PP" if n else begin]
        out += [escape(line) for line in textwrap.wrap(words, 80, break_long_words=False, break_on_hyphens=False)]


# ---- code ----

def wrap_comment(line):
    """A member with a long comment: the comment first, in lines of its own."""
    m = re.match(r"(\s*)(.*?)\s*/\* (.*) \*/\s*$", line)
    if not m:
        return wrap_list(line)
    indent, code, comment = m.groups()
    lines = textwrap.wrap(comment, WIDTH - len(indent) - 6, break_on_hyphens=False)
    said = [f"{indent}{'/* ' if n == 0 else ' * '}{part}" for n, part in enumerate(lines)]
    said[-1] += " */"
    return said + (wrap_list(indent + code) if code else [])


def wrap_list(line):
    """A long prototype goes on at its commas."""
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 8)
    held = re.sub(r"(?<=[^,\s]) (?=\S)", "\0", line) if "(" in line else line  # words of one parameter stay together
    lines = textwrap.wrap(held, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [part.replace("\0", " ") for part in lines]


def code_lines(text):
    """Comments of several lines become one first, so that they can be wrapped."""
    text = re.sub(r"/\*.*?\*/", lambda m: " ".join(part.strip().removeprefix("* ") for part in m.group(0).split("\n")), text, flags=re.S)
    for line in text.split("\n"):
        yield from [line] if len(line) <= WIDTH else wrap_comment(line)


def put_code(out, lines, begin):
    out += ([begin] if begin else []) + [".nf"] + [escape(line) if line.strip() else "\\&" for line in lines] + [".fi"]


# ---- the page ----

def items(text):
    """(comment, declarations) in their order; either may be empty."""
    body = re.sub(r"^#(ifndef|define|endif|ifdef __cplusplus|include)[^\n]*(\\\n[^\n]*)*\n", "", text, flags=re.M)
    body = re.sub(r'^(extern "C" \{|\})\n', "", body, flags=re.M)
    for part in re.split(r"\n\s*\n(?=\S)|(?<=[;}])\n(?=/\*)", body):
        part = part.strip("\n")
        m = re.match(r"/\*.*?\*/\s*?(\n|$)", part, re.S)
        comment = m.group(0) if m else ""
        if part.strip():
            yield comment.strip(), part[len(comment):].strip("\n")


def page(path, version):
    text = path.read_text(encoding="utf-8")
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    name = "libassay" if path.stem == "assay" else f"assay_{path.stem}"
    head = uncomment(re.match(r"/\*.*?\*/", text, re.S).group(0))
    first = re.split(r"(?<=\.)\s", " ".join(head).removeprefix("libassay: "), maxsplit=1)[0].rstrip(".")
    names = [name] + [name_of(f) for f in functions(text) if name_of(f) != name]
    out = [f'.TH {name.upper()} 3 {date} "assay {version}" "Library Functions"', ".SH NAME"]
    out += [escape(line) for line in textwrap.wrap(", ".join(names), 78)]
    out += ["\\- " + escape(first[0].lower() + first[1:] if first[1:2].islower() else first), ".SH SYNOPSIS", ".nf", f"#include <assay/{path.name}>", ".PP"]
    for prototype in functions(text):
        out += [escape(line) for line in wrap_list(prototype)]
    out += [".fi", ".SH DESCRIPTION"]
    put_text(out, head, "")
    for comment, code in items(text[text.index("*/") + 2:]):
        section = re.fullmatch(r"/\* -+ (.*?) -+ \*/", comment)
        if section:
            out += [".SH " + escape(section.group(1).upper())]
            comment = ""
        if code:
            put_code(out, code_lines(code.replace("ASSAY_API ", "")), ".PP" if out[-1][:3] != ".SH" else "")
        if comment:
            put_text(out, uncomment(comment), ".PP" if out[-1][:3] != ".SH" else "")
    others = sorted(n for n in with_functions(path.parent) if n != path.stem)
    out += [".SH SEE ALSO", ".nh", ".BR assay (1),"]
    out += [f".BR {'libassay' if n == 'assay' else 'assay_' + n} (3){',' if n != others[-1] else ''}" for n in others]
    return "\n".join(out) + "\n"


def with_functions(folder):
    return [p.stem for p in sorted(folder.glob("*.h")) if functions(p.read_text(encoding="utf-8"))]


def main():
    if sys.argv[1] == "--list":
        print("\n".join(with_functions(Path(sys.argv[2]))))
    else:
        sys.stdout.write(page(Path(sys.argv[1]), sys.argv[2]))


if __name__ == "__main__":
    main()
