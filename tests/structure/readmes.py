#!/usr/bin/env python3
"""READMEs of folders: every folder of src, tests, bench, docs, examples and python with more than five files has one, what it names in backticks is there, and a
folder of src names each of its modules (files of one stem: a.c and a.h are the module `a`).

A module is named as `a`, `a.c`, `a.h` or `a.c/.h`, in backticks, or as a.c without; `a_*` names all that begin so. What is the same in many folders (format, dump) is named
once, in the README of the folder above."""
import fnmatch
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SOURCE, Tally  # noqa: E402

ROOTS = ("src", "tests", "bench", "docs", "examples", "python")
MANY = 5
# Folders of data, or of cases that a runner lists: their names say what they are; the package's README stands next to it.
NO_PROSE = ("tests/fuzz/corpus", "tests/fuzz/dict", "tests/fuzz/found", "tests/data/", "tests/cli/", "tests/unit", "tests/formats/", "docs/schema", "docs/pictures",
            "tests/peers/", "bench/data", "python/assay")
FILE = re.compile(r"^[\w.*-]+\.(?:c|h|py|sh|js|css|def|md|json|build)$")
WORD = re.compile(r"^[\w*-]+$")


def folders():
    for root in ROOTS:
        for folder in sorted([SOURCE / root, *(p for p in (SOURCE / root).rglob("*") if p.is_dir())]):
            name = folder.relative_to(SOURCE).as_posix()
            if not any(name == n.rstrip("/") and not n.endswith("/") or name.startswith(n.rstrip("/") + "/") for n in NO_PROSE) and "__pycache__" not in name:
                yield folder, name


def words(text):
    """What stands in backticks, each part of `a.c/.h` by itself."""
    for quoted in re.findall(r"`([^`\n]+)`", re.sub(r"^(?:```.*?^```|    .*?$)", "", text, flags=re.M | re.S)):
        for word in re.split(r"[,\s]+", quoted):
            stem, _, more = word.partition("/.")
            yield stem
            if more:
                yield f"{stem.rsplit('.', 1)[0]}.{more}"
    yield from re.findall(r"(?<![\w./`-])\w+\.[ch]\b", text)


def is_there(folder, word):
    """A file of the folder, of one below it, or of the repository."""
    return any(folder.rglob(word)) or any((SOURCE / "src").rglob(word)) or any((SOURCE / "include").rglob(word)) or any((SOURCE / "tests").rglob(word)) or any(
        (SOURCE / root).glob(f"**/{word}") for root in ROOTS)


def check_folder(tally, folder, name):
    files = [p for p in folder.iterdir() if p.is_file() and p.name != "README.md" and not p.name.startswith(".")]
    readme = folder / "README.md"
    if not readme.exists():
        tally.check(len(files) <= MANY, f"{name}: {len(files)} files and no README.md", f"write {name}/README.md: what belongs here, what does not, where to start reading")
        return
    text = readme.read_text(encoding="utf-8")
    named = set(words(text))
    for word in sorted(named):
        if FILE.match(word) and set(word) - set("*.ch"):
            tally.check(is_there(folder, word), f"{name}/README.md: `{word}` is there", f"there is no such file any more: take `{word}` out of {name}/README.md, or give it its new name")
    if not name.startswith("src"):
        return
    above = folder.parent / "README.md"
    named |= set(words(above.read_text(encoding="utf-8"))) if above.exists() else set()
    patterns = [w.rsplit(".", 1)[0] if FILE.match(w) else w for w in named if WORD.match(w) or FILE.match(w)]
    patterns = [p for p in patterns if p.strip("*")]
    for stem in sorted({p.stem for p in files if p.suffix == ".c"}):
        tally.check(any(fnmatch.fnmatchcase(stem, p) for p in patterns), f"{name}/README.md: names `{stem}`",
                    f"write a word on `{stem}` ({name}/{stem}.c) into {name}/README.md")


def check_walks(tally):
    """docs/architecture.md, "Three walks": each file is there, and the functions named after it are in it."""
    text = (SOURCE / "docs/architecture.md").read_text(encoding="utf-8")
    walks = text[text.index("## Three walks"):text.index("## Invariants")]
    for path, named in re.findall(r"`([\w./-]+\.c)`((?:\s`\w+`)*)", walks):
        code = (SOURCE / "src" / path).read_text(encoding="utf-8") if (SOURCE / "src" / path).is_file() else ""
        tally.check(code, f"docs/architecture.md: src/{path} is there")
        for function in re.findall(r"`(\w+)`", named):
            tally.check(re.search(rf"\b{function}\(", code), f"docs/architecture.md: {function} is in src/{path}")


def main():
    tally = Tally()
    for folder, name in folders():
        check_folder(tally, folder, name)
    check_walks(tally)
    tally.finish()


if __name__ == "__main__":
    main()
