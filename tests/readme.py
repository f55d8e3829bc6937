#!/usr/bin/env python3
"""The examples in the documents are true: each console block is run, and what it prints is what the document says.

In README.md, CONTRIBUTING.md, docs/*.md and docs/formats/*.md every block that begins with ```console is taken: a line "$ COMMAND" is run, the
lines up to the next one are its output (standard output and standard error as they come). A line "..." stands for any lines. The blocks
of one document run in one folder, one after the other, in which the fixtures of tests/data lie. The EXAMPLES of the man pages, which show
commands only, must succeed there.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import ASSAY, FIXTURES, SOURCE, Tally, assay  # noqa: E402

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def commands(block):
    """(command, expected output) pairs; a command may go on after a backslash at the end of the line."""
    found = []
    continued = False
    for line in block.split("\n")[:-1]:
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif continued:
            found[-1][0] += "\n" + line
        elif found:
            found[-1][1].append(line)
        continued = not found[-1][1] and found[-1][0].endswith("\\") if found else False
    return found


def matches(lines, want):
    """Whether the lines are those wanted, where "..." stands for any number of them."""
    if not want:
        return not lines
    if want[0] == "...":
        return any(matches(lines[i:], want[1:]) for i in range(len(lines) + 1))
    return bool(lines) and lines[0].rstrip() == want[0].rstrip() and matches(lines[1:], want[1:])


def shell(command, folder):
    env = {**os.environ, "PATH": f"{Path(ASSAY).parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "COLUMNS": "80", "NO_COLOR": "1"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)


def view(command, folder):
    """Whether a viewer starts, tells its address, and ends when it is interrupted."""
    env = {**os.environ, "PATH": f"{Path(ASSAY).parent}:{os.environ['PATH']}"}
    process = subprocess.Popen(["bash", "-c", f"exec {command} --no-open"], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    return address.startswith("http://127.0.0.1:") and process.returncode == -signal.SIGINT, f"{address} {errors}"


# The names of the man pages' examples, which are those that tools give, and what stands in for them.
STAND_INS = {
    "hpctoolkit-app-measurements": "app.m",
    "a.out": "demo.callgrind",
    "after.callgrind": "demo-plain.callgrind",
    "after.folded": "demo.folded",
    "after.info": "demo-2x.info",
    "app.nytprof": "demo.nytprof",
    "before.callgrind": "demo.callgrind",
    "before.folded": "demo.folded",
    "before.info": "demo.info",
    "cachegrind.out.4711": "demo.xdebug",
    "callgrind.out.4711": "demo-cache.callgrind",
    "coverage.info": "demo.info",
    "cpu.pb.gz": "demo.pprof",
    "coverage.json": "demo.coverage-py.json",
    "coverage.xml": "demo.cobertura.xml",
    "hpctoolkit-app-database": "app.m",
    "old.webgrind": "demo.webgrind",
    "profile.webgrind": "demo.webgrind",
    "system.info": "demo-2x.info",
    "unit.info": "demo.info",
}


def fixtures(folder, stand_ins=()):
    for path in FIXTURES.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
        else:
            shutil.copytree(path, Path(folder, path.name))
    if stand_ins:
        assay("convert", FIXTURES / "demo.xdebug", "--to", "webgrind", "-o", Path(folder) / "demo.webgrind")
    for name in stand_ins:
        copy = shutil.copytree if (Path(folder) / STAND_INS[name]).is_dir() else shutil.copy
        copy(Path(folder) / STAND_INS[name], Path(folder) / name)


def repository(folder):
    """What the examples with git take for granted: a release and a branch elsewhere."""
    shell("git init -q . && mkdir -p src && touch src/demo.c && git add demo.info src/demo.c && git -c user.name=t -c user.email=t@t commit -qm one && git tag v1.0 && git update-ref refs/remotes/origin/main HEAD", folder)


def run_document(tally, path):
    blocks = BLOCK.findall(path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as tmp:
        fixtures(tmp)
        for command, want in [pair for block in blocks for pair in commands(block)]:
            label = f"{path.relative_to(SOURCE)}: $ {command}"
            if command.startswith(("./dev", "sudo ", "git clone", "cd ")):
                tally.skip(label, "about the repository itself")
                continue
            out = shell(command, tmp).stdout.decode("utf-8", "replace").split("\n")
            if out and out[-1] == "":
                out.pop()
            while want and want[-1] == "":
                want.pop()
            tally.check(matches(out, want), label, "says:", *out[:25], "document:", *want[:25])


def man_examples(page):
    """Commands in the EXAMPLES section of a man page as text: indented lines that begin with "assay" or "$ "."""
    text = subprocess.run(["mandoc", "-T", "ascii", "-O", "width=200"], input=page, capture_output=True).stdout.decode()
    text = re.sub(".\b", "", text)
    section = re.search(r"^EXAMPLES\n(.*?)(?=^[A-Z]|\Z)", text, re.M | re.S)
    return re.findall(r"^ +(?:\$ )?(assay .*?)\s*$", section.group(1), re.M) if section else []


def run_manual(tally):
    if not shutil.which("mandoc"):
        tally.skip("man pages", "mandoc is not installed")
        return
    verbs = re.findall(r"^  +([a-z]+) +\S", assay("help").stdout.decode(), re.M)
    for verb in verbs:
        page = assay("help", "--man", verb)
        if page.returncode != 0:
            continue
        with tempfile.TemporaryDirectory() as tmp:
            fixtures(tmp, STAND_INS)
            repository(tmp)
            for command in man_examples(page.stdout):
                if not shutil.which("git") and re.search(r"--git|--unstaged|git diff", command):
                    tally.skip(command, "git is not installed")
                    continue
                if verb == "view" and "--export" not in command:
                    is_fine, said = view(command, tmp)
                    tally.check(is_fine, f"assay-view(1): {command}", said)
                    continue
                result = shell(command, tmp)
                tally.check(result.returncode in (0, 1), f"assay-{verb}(1): {command}", f"exit {result.returncode}", result.stdout.decode("utf-8", "replace")[-500:])


def main():
    tally = Tally()
    documents = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").rglob("*.md"))]
    for path in documents:
        if path.exists():
            run_document(tally, path)
    run_manual(tally)
    tally.finish()


if __name__ == "__main__":
    main()
