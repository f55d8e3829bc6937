#!/usr/bin/env python3
"""What the original programs do with damaged and hostile files, and what assay does: the tables of docs/robustness.md.

  robustness.py                     runs every program that is here, and prints the tables
  robustness.py --write             puts them into docs/robustness.md
  robustness.py --assay-only        runs assay alone; fails where docs/robustness.md says something else
  robustness.py --only FORMAT,...   those formats only; with --write the tables of the others stay

robustness_files.py makes the files. Debian has lcov, gcovr and Devel::NYTProf; the others are named by the environment, and not run without it:
ASSAY_PEER_WEBGRIND (the folder of webgrind, with bin/preprocessor built), ASSAY_PEER_HPCPROF (the program), ASSAY_PEER_HPCVIEWER (a class path with
edu.rice.cs.hpc.data.framework.PrintData), ASSAY_PEER_COV (loaders/cov.cc, linked with the original's library).

Every program gets 20 s of processor time, 120 s by the clock and 2 GB. What it says is compared with what it says of the undamaged file, figure by figure
and line by line.
"""
import argparse
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[1])]
from robustness_files import FORMATS, KINDS, clear, kinds_of  # noqa: E402
from support import ASSAY, SOURCE, Tally  # noqa: E402
from xdebug import PREPROCESS, preprocessed  # noqa: E402

DOCUMENT = SOURCE / "docs" / "robustness.md"
BEGIN, END = "<!-- made by tests/peers/robustness.py -->", "<!-- end -->"
SECONDS, PATIENCE, MEMORY = 20, 120, 2 << 30
SMALL = 16  # MB; less is what the launcher took

CRASHED, UNCAUGHT, MEMORY_OUT, HUNG, WRONG = "crashed", "uncaught exception", "out of memory", "hung", "wrong figures, not a word"
ESCAPED, OUTSIDE = "terminal escapes printed as they are", "wrote outside its folder"
NO_PLACE, PLACE, SAID, RIGHT = "refused, no place", "refused with the place", "read what is there and said so", "right figures"
WORDS = [CRASHED, UNCAUGHT, MEMORY_OUT, HUNG, WRONG, ESCAPED, OUTSIDE, NO_PLACE, PLACE, SAID, RIGHT]

# Places in the program, which say nothing of the file.
OWN_PLACES = re.compile(r" at \S+ line \d+\.?|\(\w+\.java:\d+\)| in \S+\.php(:| on line )\d+|File \"[^\"]*\", line \d+.*|PHP .*?: ")
A_PLACE = re.compile(r"\bline:? ?\d+|lineNumber|offset \d+|\bbyte \d+|\bchar \d+|column \d+|:\d+:|\bat \d+|record \d+|[0-9a-f]{40}")
OUT_OF_MEMORY = re.compile(r"MemoryError|bad_alloc|OutOfMemoryError|[Oo]ut of memory|Allowed memory size|[Cc]annot allocate")
NOT_CAUGHT = re.compile(r"Traceback \(most recent|Uncaught \w*(?:Error|Exception)|PHP Fatal error|Exception in thread|StackOverflowError")


# Starts a command under the limits and says how it ended. A process of its own: the peak of a child includes what its parent had when it forked.
LAUNCHER = """
import os, resource, signal, sys, time
seconds, patience, memory, report = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
child = os.fork()
if child == 0:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    os.execvp(sys.argv[5], sys.argv[5:])
deadline, late = time.monotonic() + patience, 0
while True:
    pid, status, usage = os.wait4(child, os.WNOHANG)
    if pid:
        break
    if time.monotonic() > deadline and not late:
        late = 1
        os.killpg(child, signal.SIGKILL)
    time.sleep(0.005)
with open(report, "w") as out:
    print(status, late, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10, file=out)
"""


class Run:
    """One command under the limits: how it ended, what it took, what it said and printed."""

    def __init__(self, command, folder, limit_memory=True):
        report = folder / "ended"
        words = [sys.executable, "-S", "-E", "-c", LAUNCHER, SECONDS, PATIENCE, MEMORY if limit_memory else 0, report, *command]
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
            subprocess.run([str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=True,
                           env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"})
        status, late, seconds, megabytes = report.read_text().split()
        status = int(status)
        self.late = late == "1" or os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        self.signal = 0 if self.late or not os.WIFSIGNALED(status) else os.WTERMSIG(status)
        self.exit = os.WEXITSTATUS(status) if not self.late and os.WIFEXITED(status) else None
        self.seconds, self.megabytes = float(seconds), int(megabytes)
        self.out, self.err = ((folder / name).read_bytes()[:256 << 20].decode("utf-8", "replace") for name in ("stdout", "stderr"))


def numbers(text):
    return sorted(re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text))


# ---- the originals: command(path, folder, kind) and the figures of what it wrote; None = there are none ----

class Program:
    title, limit_memory = "", True
    missing = None  # why it is not run

    def extra_files(self, folder, known):
        return [p for p in folder.rglob("*") if p not in known and not p.is_relative_to(folder / "out") and p.name not in ("stdout", "stderr", "ended")]


class Preprocessor(Program):
    def __init__(self, by_php):
        home = os.environ.get("ASSAY_PEER_WEBGRIND")
        self.title = "webgrind's preprocessor in " + ("PHP" if by_php else "C++")
        self.missing = None if home and shutil.which("php") else "ASSAY_PEER_WEBGRIND is not set"
        self.command = (lambda path, folder, kind: ["php", "-d", "display_errors=stderr", "-r", PREPROCESS, home, path, folder / "out"]) if by_php else (
            lambda path, folder, kind: [f"{home}/bin/preprocessor", path, folder / "out"])

    def figures(self, run, folder):
        try:
            return sorted(preprocessed(folder / "out")[0].values()) or None
        except (OSError, ValueError, IndexError, struct.error):
            return None


READ = """
class Webgrind_Config {}
require $argv[1] . '/library/Reader.php';
try {
    $reader = new Webgrind_Reader($argv[2], 'usec');
    for ($i = 0; $i < $reader->getFunctionCount(); $i++) {
        $f = $reader->getFunctionInfo($i);
        echo "row $f[functionName] $f[summedSelfCost] $f[summedInclusiveCost] $f[invocationCount]\\n";
        for ($j = 0; $j < $f['calledFromInfoCount']; $j++) { $c = $reader->getCalledFromInfo($i, $j); echo "row $c[functionNr] $c[callCount]\\n"; }
        for ($j = 0; $j < $f['subCallInfoCount']; $j++) { $c = $reader->getSubCallInfo($i, $j); echo "row $c[functionNr] $c[callCount]\\n"; }
    }
} catch (Exception $e) { fwrite(STDERR, $e->getMessage() . "\\n"); exit(1); }
"""


class Reader(Program):
    title = "webgrind's reader"

    def __init__(self):
        self.home = os.environ.get("ASSAY_PEER_WEBGRIND")
        self.missing = None if self.home and shutil.which("php") else "ASSAY_PEER_WEBGRIND is not set"

    def command(self, path, folder, kind):
        return ["php", "-d", "display_errors=stderr", "-r", READ, self.home, path]

    def figures(self, run, folder):
        return numbers("\n".join(line for line in run.out.split("\n") if line.startswith("row "))) or None


class NytProf(Program):
    title = "Devel::NYTProf"

    def __init__(self):
        self.missing = None if shutil.which("nytprofcsv") else "Debian's package is libdevel-nytprof-perl"

    def command(self, path, folder, kind):
        if kind == "escapes":
            return ["nytprofcalls", path]
        return ["nytprofhtml" if kind == "outside" else "nytprofcsv", *(["--no-flame"] if kind == "outside" else []), "-f", path, "-o", folder / "out"]

    def figures(self, run, folder):
        rows = [line for path in sorted((folder / "out").glob("*.csv")) for line in path.read_text(errors="replace").split("\n") if re.match(r"[\d.]+,\d+,", line)]
        return sorted(row.rsplit(",", 1)[0] if row.count(",") == 2 else ",".join(row.split(",")[:2]) for row in rows) or numbers(run.out) or None


def traces(text):
    return sorted(re.findall(r"^(?:DA|BRDA|FNDA):.*$", text, re.M)) or None


class Lcov(Program):
    title = "lcov"

    def __init__(self):
        self.missing = None if shutil.which("lcov") else "Debian's package is lcov"

    def command(self, path, folder, kind):
        if kind == "escapes":
            return ["lcov", "--list", path]
        if kind == "outside":
            return ["genhtml", "-q", "--ignore-errors", "source", "-o", folder / "out", path]
        return ["lcov", "-q", "--rc", "lcov_branch_coverage=1", "-a", path, "-o", folder / "out"]

    def figures(self, run, folder):
        out = folder / "out"
        if (out / "index.html").exists():
            return ["pages"]
        return traces(out.read_text(errors="replace")) if out.is_file() else numbers(run.out) or None


class Gcovr(Program):
    title = "gcovr"

    def __init__(self):
        self.missing = None if shutil.which("gcovr") else "Debian's package is gcovr"

    def command(self, path, folder, kind):
        (folder / "out").mkdir()
        how = ["--txt"] if kind == "escapes" else ["--json", folder / "out" / "rows"]
        return ["gcovr", "-r", folder, "-a", path, *how]

    def figures(self, run, folder):
        rows = folder / "out" / "rows"
        return numbers(re.sub(r'"file": "[^"]*"', "", rows.read_text(errors="replace"))) if rows.exists() else numbers(run.out) or None


class Cov(Program):
    title = "cov"

    def __init__(self):
        self.loader = os.environ.get("ASSAY_PEER_COV")
        self.missing = None if self.loader else "ASSAY_PEER_COV is not set"

    def command(self, path, folder, kind):
        store = path / ".git/.covdata"
        return [self.loader, store / "objects/coverage", (store / "refs/heads/main").read_text().strip()]

    def figures(self, run, folder):
        return numbers(run.out) or None


class HpcProf(Program):
    title = "hpcprof"

    def __init__(self):
        self.program = os.environ.get("ASSAY_PEER_HPCPROF")
        self.missing = None if self.program else "ASSAY_PEER_HPCPROF is not set"

    def command(self, path, folder, kind):
        return [self.program, "-j1", "-o", folder / "out", path]

    def figures(self, run, folder):
        """What assay reads of the database that it wrote."""
        read = subprocess.run([ASSAY, "top", "--json", "--limit", "0", folder / "out"], capture_output=True, text=True, check=False)
        return rows_of(read.stdout)


class HpcViewer(Program):
    title, limit_memory = "hpcviewer's reader", False  # the machine reserves more addresses than it uses

    def __init__(self):
        self.classes = os.environ.get("ASSAY_PEER_HPCVIEWER")
        self.missing = None if self.classes and shutil.which("java") else "ASSAY_PEER_HPCVIEWER is not set"

    def command(self, path, folder, kind):
        return ["java", "-Xmx2g", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true", "-cp", self.classes, "edu.rice.cs.hpc.data.framework.PrintData", path]

    def figures(self, run, folder):
        return re.findall(r" : *([-\d.e+]+)", run.out) or None


# ---- assay ----

def rows_of(text):
    try:
        rows = json.loads(text)["rows"]
    except (ValueError, KeyError):
        return None
    return sorted(json.dumps([row["self"], row["total"], row["calls"]]) for row in rows) or None


class Assay(Program):
    title = "assay"

    def __init__(self, format_name):
        self.format = format_name

    def command(self, path, folder, kind):
        if self.format == "cov":
            return [ASSAY, "cov", "-C", path, "export", "--to", "lcov"]
        if self.format in ("lcov", "gcovr-json"):
            if kind == "escapes":
                return [ASSAY, "top", path]
            return [ASSAY, "convert", path, "--to", "html" if kind == "outside" else "lcov", "-o", folder / "out"]
        return [ASSAY, "top", *([] if kind == "escapes" else ["--json", "--limit", "0"]), path]

    def figures(self, run, folder):
        if (folder / "out").is_file():
            return traces((folder / "out").read_text(errors="replace"))
        return rows_of(run.out) or traces(run.out) or (["pages"] if (folder / "out").is_dir() else numbers(run.out)) or None


def checked(format_name, path, folder):
    """What `assay check` (`assay cov fsck`) says first: the rule and the place."""
    run = Run([ASSAY, "cov", "-C", path, "fsck"] if format_name == "cov" else [ASSAY, "check", path], folder)
    if run.late or run.signal:
        return HUNG if run.late else CRASHED
    found = re.search(r"(?:(?::(\d+))|(?:: offset (\d+)))?: (?:error|warning) ([A-Z]+-?\d+)", run.out)
    if found:
        return found[3] + (f", line {found[1]}" if found[1] else f", offset {found[2]}" if found[2] else "")
    rule = re.search(r"\(([A-Z]+-?\d+)\)", run.out + run.err)
    return rule[1] if rule else "ok" if run.exit == 0 else "refused"


# ---- judging ----

def lines_said(run, folder):
    return [line for line in run.err.replace(str(folder), "").split("\n") if line.strip()]


def measured(program, format_name, kind, damaged, scratch):
    folder = scratch / "work"
    clear(folder)
    path = FORMATS[format_name][1](folder, kind, damaged)
    known = set(folder.rglob("*"))
    run = Run(program.command(path, folder, kind), folder, program.limit_memory)
    figures = None if run.late or run.signal else program.figures(run, folder)
    beyond = [p for p in program.extra_files(folder, known) if damaged and kind == "outside"] + [p for p in scratch.iterdir() if p != folder]
    said = lines_said(run, folder)
    return run, figures, said, beyond, (path, folder)


def word_of(kind, run, figures, new_lines, base_figures, beyond):
    text = "\n".join(new_lines)
    if run.late:
        return HUNG
    if OUT_OF_MEMORY.search(run.err + text):
        return MEMORY_OUT
    if run.signal:
        return CRASHED
    if NOT_CAUGHT.search(run.err + text):
        return UNCAUGHT
    if beyond:
        return OUTSIDE
    if run.exit or not figures:
        if not text and not run.exit:
            return WRONG
        return PLACE if A_PLACE.search(OWN_PLACES.sub("", text)) else NO_PLACE
    if kind == "escapes" and re.search("[\x1b\x9b]\\[2J", run.out + run.err):
        return ESCAPED
    if text:
        return SAID
    return RIGHT if figures == base_figures or kind == "escapes" else WRONG  # there the tables have other names


def shortened(lines):
    """What it said, to name it in the table: the last line of a Python trace, the first words of anything else."""
    if any("Traceback (most recent" in line for line in lines):
        lines = [line for line in lines if re.match(r"\w+(\.\w+)*(Error|Exception)\b", line)][-1:]
    text = OWN_PLACES.sub("", " ".join(lines))
    text = "".join(c if c.isprintable() else "?" for c in re.sub(r"(/[\w.+-]+)+/", "", text))
    text = re.sub(r"\s+", " ", text).replace("|", "\\|").replace("`", "'").strip()
    return text if len(text) <= 72 else text[:70].rstrip() + "…"


def took(run):
    if run.late:
        return f"stopped after {SECONDS} s"
    return f"{run.seconds:.1f} s, " + (f"{run.megabytes} MB" if run.megabytes > SMALL else f"below {SMALL} MB")


class Cell:
    def __init__(self, word, status, message, run):
        self.word, self.message, self.run = word, message, run
        self.said = word + (f", {status}" if status else "")

    def __str__(self):
        return self.said + (f": `{self.message}`" if self.message else "") + f" ({took(self.run)})"


def cell_of(program, format_name, kind, scratch, bases, with_message):
    key = (program.title, kind in ("escapes", "outside") and kind, kind in ("bomb", "stream"))
    if key not in bases:
        run, figures, said, _, _ = measured(program, format_name, kind, False, scratch)
        bases[key] = (figures if run.exit == 0 else None, set(said))
    base_figures, base_said = bases[key]
    if not base_figures:
        raise SystemExit(f"{program.title} does not read the undamaged {format_name}: {base_said}")
    run, figures, said, beyond, made = measured(program, format_name, kind, True, scratch)
    new = [line for line in said if line not in base_said]
    word = word_of(kind, run, figures, new, base_figures, beyond)
    for path in scratch.iterdir():
        if path != scratch / "work":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    status = "" if run.late else signal.Signals(run.signal).name if run.signal else f"exit {run.exit}" if run.exit else ""
    return Cell(word, status, shortened(new) if with_message else "", run), made


# ---- the document ----

TITLES = {"xdebug": "Xdebug's text", "webgrind": "webgrind's preprocessed files", "nytprof": "NYTProf", "lcov": "lcov's .info files", "gcovr-json": "gcovr's JSON",
          "cov": "cov's store", "hpcrun": "HPCToolkit's measurements", "hpcdb-xml": "HPCToolkit's databases before 2022"}


def originals_of(name):
    return {"xdebug": lambda: [Preprocessor(False), Preprocessor(True)], "webgrind": lambda: [Reader()], "nytprof": lambda: [NytProf()], "lcov": lambda: [Lcov()],
            "gcovr-json": lambda: [Gcovr()], "cov": lambda: [Cov()], "hpcrun": lambda: [HpcProf()], "hpcdb-xml": lambda: [HpcViewer()]}[name]()


class Tables:
    """Sections of the document by format, and what assay did."""

    def __init__(self, with_originals):
        self.with_originals, self.sections, self.assay = with_originals, {}, {}

    def format(self, name, scratch):
        originals = originals_of(name) if self.with_originals else []
        ours, bases = Assay(name), {}
        lines = ["| file | " + " | ".join([p.title for p in originals] + ["assay", "`assay check`"]) + " |", "|---" * (len(originals) + 3) + "|"]
        for kind in kinds_of(name):
            row = [kind]
            for program in [*originals, ours]:
                if program.missing:
                    row.append("not run")
                    continue
                cell, made = cell_of(program, name, kind, scratch, bases, program is not ours)
                row.append(str(cell))
                print(f"{name} {kind} {program.title}: {cell}", file=sys.stderr)
            finding = checked(name, *made)
            self.assay[name, kind] = (cell.said, finding)
            lines.append("| " + " | ".join([*row, finding]) + " |")
        self.sections[name] = lines


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def summary(sections):
    """How often each program did what, by the tables."""
    counts = {}
    for lines in sections.values():
        titles = cells(lines[0])
        for row in map(cells, lines[2:]):
            for title, cell in zip(titles[1:-1], row[1:-1]):
                counts.setdefault(title, Counter()).update(word for word in WORDS if cell.startswith(word))
    used = [word for word in WORDS if any(c[word] for c in counts.values())]
    lines = ["| program | files | " + " | ".join(used) + " |", "|---" * (len(used) + 2) + "|"]
    for title, count in sorted(counts.items(), key=lambda item: (item[0] == "assay", item[0].lower())):
        lines.append(f"| {title} | {sum(count.values())} | " + " | ".join(str(count[w] or "") for w in used) + " |")
    return lines


def kinds_table():
    return ["| file | what is wrong |", "|---|---|", *(f"| {kind} | {what} |" for kind, what in KINDS.items()), ""]


def documented():
    """The sections of the document by format."""
    sections, name = {}, None
    names = {title: key for key, title in TITLES.items()}
    for line in DOCUMENT.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].split("\n"):
        if line.startswith("### "):
            name = names[line[4:]]
        elif name and line.startswith("|"):
            sections.setdefault(name, []).append(line)
    return sections


def compare(tally, tables):
    """What assay did, and what the document says of it."""
    known = {(name, row[0]): (re.sub(r" \((?:[\d.]+ s, (?:below )?\d+ MB|stopped after \d+ s)\)$", "", row[-2]), row[-1])
             for name, lines in documented().items() for row in map(cells, lines[2:])}
    for (name, kind), got in tables.assay.items():
        tally.equal(got, known.get((name, kind)), f"{name}, {kind}: as docs/robustness.md says")


def write(tables):
    sections = {**documented(), **tables.sections}
    text = [*summary(sections), "", *kinds_table()]
    for name in FORMATS:
        text += [f"### {TITLES[name]}", "", *sections[name], ""] if name in sections else []
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    DOCUMENT.write_text(f"{before}{BEGIN}\n" + "\n".join(text) + f"{END}{rest.split(END)[1]}", encoding="utf-8")


def has_store():
    return shutil.which("git") and subprocess.run([ASSAY, "cov", "--help"], capture_output=True, check=False).returncode == 0


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("--write", action="store_true")
    ap.add_argument("--assay-only", action="store_true")
    ap.add_argument("--only", default=",".join(FORMATS))
    a = ap.parse_args()
    tables, tally = Tables(not a.assay_only), Tally()
    with tempfile.TemporaryDirectory() as name:
        for format_name in a.only.split(","):
            if format_name == "cov" and not has_store():
                tally.skip("cov", "there is no git, or assay was built without libgit2")
                continue
            clear(Path(name) / format_name)
            tables.format(format_name, Path(name) / format_name)
    if a.assay_only:
        compare(tally, tables)
        tally.finish()
    if a.write:
        write(tables)
    else:
        print("\n".join([*summary(tables.sections), "", *(line for section in tables.sections.values() for line in [*section, ""])]))


if __name__ == "__main__":
    main()
