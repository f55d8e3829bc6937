#!/usr/bin/env python3
"""The list of formats and what belongs to each: names sorted and unique, a page, a corpus, of which the build makes fuzz targets. And every rule of every
finding, wherever in src it is: a row of a table in docs that says what it means, and a test that plants the defect and names the rule."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SOURCE, Tally, assay, said  # noqa: E402


def formats(tally):
    result = assay("formats", "--json")
    if not tally.check(result.returncode == 0, "assay formats --json", said(result)):
        return []
    return json.loads(result.stdout)["formats"]


def pages():
    return {p.stem: p.read_text(encoding="utf-8") for p in (SOURCE / "docs" / "formats").glob("*.md") if p.stem != "README"}


RULE = r"[A-Z]{1,3}\d{2,3}|[A-Z]{1,3}-\d{1,2}"
NO_RULES = re.compile(r"UTF-\d+")  # look like one
COMMENTS = re.compile(r'("(?:\\.|[^"\\\n])*")|/\*.*?\*/', re.S)
# Tables of files or of decisions that mention rules, but do not explain them.
NO_EXPLANATIONS = ("robustness.md", "stability.md", "model.md")


def rules():
    """Each rule that is in the sources, and where."""
    found = {}
    for path in sorted((SOURCE / "src").rglob("*.[ch]")):
        for rule in re.findall(f'"({RULE})"', path.read_text(encoding="utf-8")):
            if not NO_RULES.fullmatch(rule):
                found.setdefault(rule, path.relative_to(SOURCE))
    return found


def explained():
    """The rules in the first cells of tables in docs."""
    found = set()
    for path in (SOURCE / "docs").rglob("*.md"):
        if path.name not in NO_EXPLANATIONS:
            for cell in re.findall(r"^\|([^|\n]*)\|", path.read_text(encoding="utf-8"), re.M):
                found.update(re.findall(RULE, cell))
    return found


def planted():
    """The rules that tests name: in C outside of comments, in Python, and in what the command is expected to print."""
    found = set()
    for path in (SOURCE / "tests").rglob("*"):
        if path.suffix in (".c", ".h", ".py", ".stdout", ".stderr") and not path.is_relative_to(SOURCE / "tests" / "structure"):
            text = path.read_text(encoding="utf-8", errors="replace")
            found.update(re.findall(rf"(?<![\w-])(?:{RULE})(?![\w-])", COMMENTS.sub(r"\1", text) if path.suffix in (".c", ".h") else text))
    return found


def check_rules(tally):
    documented, tested, all_rules = explained(), planted(), rules()
    tally.check(len(all_rules) > 500, "rules are found", len(all_rules))
    for rule, where in all_rules.items():
        tally.check(rule in documented, f"{rule} ({where}): is explained", f"write a row '| {rule} | severity | meaning |' into the table of rules in the page of its format, or of its command, in docs")
        tally.check(rule in tested, f"{rule} ({where}): is tested", f"write a test that plants the defect, expects {rule}, and has a near miss without it")


def check_options(tally, f, page):
    """The page of a format has a table of its options: the key in the first cell, the phrase of the help in the second."""
    section = re.search(r"^## Options\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    documented = dict(re.findall(r"^\| `([^`]+)` \| (.*?) \|$", section.group(1), re.M)) if section else {}
    options = {o["key"] + (f"={o['argument']}" if o["argument"] else ""): o["help"] for o in f["read_options"] + f["write_options"]}
    for key, text in options.items():
        tally.check(documented.get(key) == text, f"{f['name']}: option {key} is in the section Options of its page", f"write the row '| `{key}` | {text} |'")
    if len(options) and f["name"] in page.split("\n", 1)[0].lower():
        tally.equal(sorted(set(documented) - set(options)), [], f"{f['name']}: its page lists no option that it does not have")


def main():
    tally = Tally()
    found = formats(tally)
    names = [f["name"] for f in found]
    tally.check(names and names == sorted(set(names)), "formats are sorted and unique", names)
    written = pages()
    listing = (SOURCE / "docs/formats/README.md").read_text(encoding="utf-8")
    for f in found:
        name = f["name"]
        page = written.get(name) or next((t for t in written.values() if f"`{name}`" in t), None)
        tally.check(page, f"{name}: docs/formats/{name}.md, or another page that names it")
        tally.check(f"`{name}`" in listing, f"{name}: is listed in docs/formats/README.md")
        if page:
            check_options(tally, f, page)
        if "read" not in f["can"]:
            continue
        corpus = SOURCE / "tests/fuzz/corpus" / name
        tally.check(corpus.is_dir() and len(list(corpus.iterdir())) >= 5, f"{name}: has a corpus of at least five files in tests/fuzz/corpus/{name}")
    check_rules(tally)
    tally.finish()


if __name__ == "__main__":
    main()
