#!/usr/bin/env python3
"""The man pages that the command makes of its own option tables, and those made of the public headers: clean for mandoc's lint, complete."""
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SOURCE, Tally, assay, run, said  # noqa: E402


def verbs():
    text = assay("help").stdout.decode()
    return [m for m in re.findall(r"^  +([a-z]+) +\S", text, re.M) if assay("help", m).returncode == 0]


def options(verb):
    text = assay("help", verb).stdout.decode()
    return set(re.findall(r"(?<![\w-])(--[a-z][a-z-]*)", text))


def lint(tally, label, page):
    if not shutil.which("mandoc"):
        tally.skip(label, "mandoc is not installed")
        return
    result = run("mandoc", "-T", "lint", "-W", "warning", page)
    tally.check(result.returncode == 0, f"{label}: mandoc -T lint", result.stdout.decode())


def headers(tally, tmp):
    """A page for each header that declares functions, with every one of them and what its comment says."""
    found = 0
    for header in sorted((SOURCE / "include" / "assay").glob("*.h")):
        names = re.findall(r"^ASSAY_API [^;]*?(\w+)\(", header.read_text(), re.M)
        if not names:
            continue
        found += 1
        result = run(sys.executable, SOURCE / "man" / "header.py", header, "1.2.3")
        if not tally.check(result.returncode == 0, f"{header.name}: header.py", said(result)):
            continue
        text = result.stdout.decode()
        missing = [n for n in names if text.count(n + "(") < 2]
        tally.check(not missing, f"{header.name}: every function is in the synopsis and in the description", *missing)
        words = " ".join(re.sub(r"^\.\w.*$", "", text.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\"), flags=re.M).split())
        comments = [" ".join(re.sub(r"^ \*", "", c, flags=re.M).split()) for c in re.findall(r"^/\*(.*?)\*/", header.read_text(), re.M | re.S)]
        lost = [c for c in comments if not c.startswith("----") and c.split(" - ")[0].split("    ")[0][:60] not in words]
        tally.check(not lost, f"{header.name}: every comment is there", *lost[:3])
        page = Path(tmp, f"assay_{header.stem}.3")
        page.write_text(text)
        lint(tally, page.name, page)
    tally.check(found >= 15, "headers with functions", found)


def main():
    tally = Tally()
    names = verbs()
    tally.check(len(names) >= 5, "help lists the verbs", names)
    with tempfile.TemporaryDirectory() as tmp:
        for verb in [None, *names]:
            label = f"assay-{verb}" if verb else "assay"
            result = assay("help", "--man", *([verb] if verb else []))
            if not tally.check(result.returncode == 0 and result.stdout, f"{label}: help --man", said(result)):
                continue
            page = Path(tmp, f"{label}.1")
            page.write_bytes(result.stdout)
            text = result.stdout.decode().replace("\\-", "-").replace("\\(hy", "-")
            if verb:
                missing = sorted(o for o in options(verb) if o[2:] not in text)
                tally.check(not missing, f"{label}: names every option", missing)
            lint(tally, label, page)
        headers(tally, tmp)
    tally.finish()


if __name__ == "__main__":
    main()
