#!/usr/bin/env python3
"""The man pages that the command makes of its own option tables: clean for mandoc's lint, one for each verb, complete."""
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import Tally, assay, run, said  # noqa: E402


def verbs():
    text = assay("help").stdout.decode()
    return [m for m in re.findall(r"^  +([a-z]+) +\S", text, re.M) if assay("help", m).returncode == 0]


def options(verb):
    text = assay("help", verb).stdout.decode()
    return set(re.findall(r"(?<![\w-])(--[a-z][a-z-]*)", text))


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
            if shutil.which("mandoc"):
                lint = run("mandoc", "-T", "lint", "-W", "warning", page)
                tally.check(lint.returncode == 0, f"{label}: mandoc -T lint", lint.stdout.decode())
            else:
                tally.skip(label, "mandoc is not installed")
    tally.finish()


if __name__ == "__main__":
    main()
