#!/usr/bin/env python3
"""Row by row: nytprofcsv, nytprofcalls, and Devel::NYTProf's own reading.

nytprofcsv: statements and time of every line. nytprofcalls: every stack, its ticks and its calls. Devel::NYTProf::Data: calls and time of every call site,
figures of every sub. With ASSAY_PEERS_LARGE=1 also perltidy, exiftool and perlcritic.
"""
import json
import math
import re
import shutil
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "formats" / "nytprof")]
from peer import LARGE, PROGRAMS, has, quietly, same_rows  # noqa: E402
from peers import has_original, load  # noqa: E402
from support import Tally, assay, said  # noqa: E402

FIDS = r"""
use JSON::PP; use Devel::NYTProf::Data;
my $profile = Devel::NYTProf::Data->new({ filename => $ARGV[0], quiet => 1, skip_collapse_evals => 1 });
sub text { my $n = shift; utf8::decode($n) unless utf8::is_utf8($n); return $n }
my %all = map { ($_->fid => { name => text($_->filename), parent => ($_->eval_fid || 0) + 0, line => ($_->eval_line || 0) + 0 }) } $profile->all_fileinfos;
print JSON::PP->new->utf8->encode(\%all);
"""


def one_eval(name):
    """The tools take string evals of one place for one."""
    return re.sub(r"\((\w*eval) \d+\)", r"(\1 0)", name)


def near(a, b, within):
    return len(a) == len(b) and all(math.isclose(x, y, rel_tol=1e-9, abs_tol=within) for x, y in zip(a, b))


def sources_of(path):
    """[(file, [row of line 1, 2, ...])], rows as `annotate` has them, and the ticks of a second."""
    ticks = float(json.loads(assay("info", "--json", path).stdout)["files"][0]["attributes"]["ticks_per_sec"])
    return json.loads(assay("annotate", "--json", "--limit", "0", "--all", path).stdout)["sources"], ticks


# ---- nytprofcsv ----

def csv_rows(path):
    """(statements, seconds, code) of each row."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        for line in file:
            fields = re.match(r"([\d.]+),(\d+),[\d.]+,(.*)$", line.rstrip("\n"))
            if fields:
                yield int(fields[2]), float(fields[1]), fields[3]


def numbered(rows, lines):
    """(line, row): blank lines one after the other are left out where nothing was measured."""
    texts = {line["line"]: line.get("text", "") for line in lines}
    measured = {line["line"] for line in lines if line.get("self") or line.get("calls")}

    def is_void(number):
        return number in texts and not texts[number].strip() and number not in measured

    number, before = 1, None
    for row in rows:
        if row[2].startswith("Profile data that couldn't be associated"):
            yield 0, row
            continue
        yield number, row
        if before == "" and texts.get(number) == "" and number not in measured:
            while is_void(number + 1):
                number += 1
        before = texts.get(number, "")
        number += 1


def with_nytprofcsv(tally, label, path, folder, sources, ticks):
    out = folder / "csv"
    result = quietly("nytprofcsv", "-f", path, "-o", out, cwd=folder)
    if not tally.check(result.returncode == 0, f"{label}: nytprofcsv reads it", said(result)):
        return
    files = json.loads(quietly("perl", "-e", FIDS, path, cwd=folder).stdout)
    by_name = {source["file"]: source["lines"] for source in sources}
    ours, theirs, misplaced = {}, {}, []
    for file in files.values():
        for line in by_name.get(file["name"], ()):
            if "hits" in line:
                book(ours, (one_eval(file["name"]), line["line"]), line["hits"] or 1, line["self"]["stmt_ticks"] / ticks)
            # the tool adds the time of string evals to the line that has them
            above, seconds = file, line.get("self", {}).get("stmt_ticks", 0) / ticks
            while above["parent"]:
                parent = files[str(above["parent"])]
                book(ours, (one_eval(parent["name"]), above["line"]), 0, seconds)
                above = parent
    for report in out.glob("*-line.csv"):
        name = files[re.search(r"-(\d+)-line\.csv$", report.name)[1]]["name"]
        lines = by_name.get(name, [])
        texts = {line["line"]: line.get("text", "").strip() for line in lines}
        for number, (hits, seconds, code) in numbered(csv_rows(report), lines):
            if hits or seconds:
                book(theirs, (one_eval(name), number), hits, seconds)
                if code.strip() != texts.get(number, "") and number:
                    misplaced.append((name, number, code, texts.get(number)))
    tally.equal(misplaced[:5], [], f"{label}: {len(misplaced)} rows of nytprofcsv are at another line")
    same_rows(tally, ours, theirs, f"{label}: statements and time of each line", lambda a, b: a[0] == b[0] and abs(a[1] - b[1]) <= 0.51e-6 * b[2])


def book(table, key, hits, seconds):
    """[statements, seconds, how many were added]"""
    row = table.setdefault(key, [0, 0.0, 0])
    table[key] = [row[0] + hits, row[1] + seconds, row[2] + 1]


# ---- Devel::NYTProf::Data ----

def with_original(tally, label, path, sources, ticks):
    stated = load(path).get(str(path), {})
    if not tally.check("subs" in stated, f"{label}: Devel::NYTProf reads it", stated):
        return
    lines, calls = {}, {}
    ours, our_calls = {}, {}
    for name, line, hits, cost in stated["lines"]:
        add(lines, (name, line), [hits, cost])
    for name, sub in stated["subs"].items():
        for file, line, count, total, _, recursive, *_ in sub["callers"]:
            add(calls, (file, line, name), [count, total, recursive])
    for source in sources:
        for line in source["lines"]:
            if "hits" in line:
                add(ours, (source["file"], line["line"]), [line["hits"], line["self"]["stmt_ticks"]])
            for callee in line.get("callees", ()):
                figures = [callee["calls"], callee["total"]["sub_time"], callee["recursive"]["sub_time"]]
                add(our_calls, (source["file"], line["line"], callee["name"]), figures)
    same_rows(tally, ours, lines, f"{label}: statements and ticks of each line, as Devel::NYTProf::Data has them")
    same_rows(tally, our_calls, calls, f"{label}: calls of each sub from each line, their time", lambda a, b: near(a, b, 1e-12))
    rows = json.loads(assay("top", "--json", "--limit", "0", path).stdout)["rows"]
    got = {row["name"]: [row["calls"], row["self"]["sub_time"], row["total"]["sub_time"]] for row in rows if row["calls"]}
    want = {name: [sub["calls"], sub["excl"], sub["incl"]] for name, sub in stated["subs"].items() if sub["calls"]}
    same_rows(tally, got, want, f"{label}: calls, exclusive and inclusive time of each sub", lambda a, b: near(a, b, 1e-12))


def add(table, key, figures):
    table[key] = [a + b for a, b in zip(table.get(key, [0] * len(figures)), figures)]


# ---- nytprofcalls ----

def stacks(text):
    found = defaultdict(int)
    for line in text.decode("utf-8", "replace").split("\n"):
        names, _, figure = line.rpartition(" ")
        if names:
            found[one_eval(names)] += int(figure)
    return {names: figure for names, figure in found.items() if figure}


def with_nytprofcalls(tally, label, path, folder):
    theirs = quietly("nytprofcalls", path, cwd=folder)
    ours = assay("convert", "--to", "folded", path)
    if tally.check(theirs.returncode == 0 and ours.returncode == 0, f"{label}: its stacks", said(theirs), said(ours)):
        same_rows(tally, stacks(ours.stdout), stacks(theirs.stdout), f"{label}: ticks of each stack")
    counted, path_to = defaultdict(int), []
    for row in json.loads(assay("tree", "--json", "--functions", path).stdout)["rows"]:
        path_to[row["depth"] - 1:] = [re.sub("[; ]", "?", one_eval(row["name"]))]
        counted[";".join(path_to)] += row["calls"]
    theirs = {re.sub(" ", "?", names): calls for names, calls in stacks(quietly("nytprofcalls", "--calls", path, cwd=folder).stdout).items()}
    same_rows(tally, {names: calls for names, calls in counted.items() if calls}, theirs, f"{label}: calls of each stack")


# ---- programs ----

def programs(tally, folder):
    yield "orders.pl", ["perl", "-d:NYTProf", PROGRAMS / "orders.pl"]
    if not LARGE:
        return
    (folder / "given.pl").write_text((PROGRAMS / "orders.pl").read_text() * 3)
    for tool, *arguments in (("perltidy", "-st", folder / "given.pl"), ("exiftool", "-a", "-G1", shutil.which("perl")), ("perlcritic", "--brutal", folder / "given.pl")):
        if has(tally, tool, tool):
            yield tool, ["perl", "-d:NYTProf", shutil.which(tool), *arguments]


def main():
    tally = Tally()
    if not has_original():
        tally.skip("nytprof", "there is no Devel::NYTProf (libdevel-nytprof-perl)")
        tally.finish()
    with tempfile.TemporaryDirectory() as name:
        for label, command in programs(tally, Path(name).resolve()):
            folder = Path(name).resolve() / label
            folder.mkdir()
            path = folder / "nytprof.out"
            quietly(*command, cwd=folder, NYTPROF=f"addpid=0:calls=2:file={path}")
            if not tally.check(path.exists(), f"NYTProf, {label}: is recorded"):
                continue
            sources, ticks = sources_of(path)
            with_nytprofcsv(tally, f"NYTProf, {label}", path, folder, sources, ticks)
            with_original(tally, f"NYTProf, {label}", path, sources, ticks)
            with_nytprofcalls(tally, f"NYTProf, {label}", path, folder)
    tally.finish()


if __name__ == "__main__":
    main()
