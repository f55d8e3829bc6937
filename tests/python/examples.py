#!/usr/bin/env python3
"""The examples of the package are run: those in docstrings, and those of docs/python.md."""
import doctest
import importlib
import os
import pkgutil
import re
import tempfile

from bindings import EXAMPLES, assay, has
from support import SOURCE, Tally

NEEDS = ("numpy", "pandas")  # an example that imports one is left out where it is missing


def run(tally, label, tests):
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for test in tests:
        missing = [n for n in NEEDS if re.search(rf"import .*\b{n}\b", test.docstring or "") and not has(n)]
        if missing:
            tally.skip(f"{label}: {test.name}", f"no {missing[0]}")
        elif test.examples:
            out = []
            failed, tried = runner.run(test, out=out.append)
            tally.check(failed == 0, f"{label}: {test.name}: {tried} examples", "".join(out))


def sections(text):
    """The examples of each section of a page by themselves."""
    parts = text.split("\n## ")
    return [(part.split("\n", 1)[0].strip("# "), part) for part in parts]


def main():
    tally = Tally()
    globs = {name: str(path) for name, path in EXAMPLES.items()}
    finder, parser = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestParser()
    modules = [assay] + [importlib.import_module(f"assay.{m.name}") for m in pkgutil.iter_modules(assay.__path__)]
    for module in modules:
        run(tally, module.__name__, finder.find(module, module.__name__, globs=dict(globs), extraglobs={}))
    page = SOURCE / "docs" / "python.md"
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as tmp:
        os.chdir(tmp)
        for title, text in sections(page.read_text(encoding="utf-8")):
            run(tally, "docs/python.md", [parser.get_doctest(text, dict(globs), title, str(page), 0)])
        os.chdir(here)
    tally.check(tally.passed > 15, "there are examples", tally.passed)
    tally.finish()


if __name__ == "__main__":
    main()
