#!/usr/bin/env python3
"""The list of formats and what belongs to each: names sorted and unique, a page, a corpus, of which the build makes fuzz targets."""
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


def rules(name):
    """The rule numbers in the sources of a format's folder."""
    folder = SOURCE / "src" / "formats" / name
    return {r for p in folder.rglob("*.[ch]") for r in re.findall(r'"([A-Z]{1,3}\d{2,3})"', p.read_text(encoding="utf-8"))}


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
        if "read" not in f["can"]:
            continue
        corpus = SOURCE / "tests/fuzz/corpus" / name
        tally.check(corpus.is_dir() and len(list(corpus.iterdir())) >= 5, f"{name}: has a corpus")
        for rule in sorted(rules(name)):
            tally.check(page and rule in page, f"{name}: rule {rule} is on its page")
    tally.finish()


if __name__ == "__main__":
    main()
