#!/usr/bin/env python3
"""Measures the command against other programs, in the same run; called by `./dev bench`. What the columns mean is in bench/README.md."""
import argparse
import fnmatch
import json
import os
import shlex
import subprocess
import sys

import inputs
import measure
import peers
import report

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Job:
    """One thing the command does with one input. `clock` is what the speed is counted by: "cpu" on one core, "wall" on two (a compressed input is
    unpacked by a thread of its own), and of the command with it where it has -j. `before` is done before each run, and not measured. Targets: ("speed", MB/s), ("seconds", CPU seconds), ("memory", MB),
    ("flat",) memory, ("within", PEER, times its seconds). `most` is a bound on instructions for each byte, which `--instructions` holds the job to."""

    def __init__(self, name, source, args, clock="cpu", peers=(), targets=(), before="", most=None):
        self.name, self.source, self.args, self.clock, self.peers, self.targets = name, source, shlex.split(args), clock, peers, targets
        self.before, self.most = before.split(), most
        self.cores = 1 if clock == "cpu" else 2
        if self.args[0] in THREADED and "-j" not in self.args:
            self.args += ["-j", "1"]


RAW = ("wc -l", "cat")
THREADED = ("annotate", "callers", "check", "convert", "diff", "dump", "flame", "info", "merge", "timeline", "top", "tree")  # verbs with -j
JOBS = (
    Job("xdebug-webgrind", "xdebug", "convert --to webgrind:7 -o {out} {in}", peers=("webgrind's preprocessor",) + RAW,
        targets=(("speed", 400), ("flat",))),
    Job("xdebug-exact-tree", "xdebug", "convert --to webgrind:4 -o {out} {in}"),
    Job("xdebug-top", "xdebug", "top {in}", peers=("callgrind_annotate",)),
    Job("xdebug-info", "xdebug", "info {in}"),
    Job("xdebug-check", "xdebug", "check {in}"),
    Job("xdebug-dump", "xdebug", "dump {in}"),
    Job("xdebug-flame", "xdebug", "flame -o {out} {in}", peers=("reading a tree alone",), targets=(("within", "reading a tree alone", 1.2),)),
    Job("folded-flame", "folded", "flame -o {out} {in}", peers=("flamegraph.pl", "reading a tree alone") + RAW, targets=(("speed", 200),)),
    Job("folded-info", "folded", "info {in}"),
    Job("cpuprofile-top", "cpuprofile", "top {in}", peers=("speedscope's importer",), targets=(("speed", 200),)),
    Job("firefox-top", "firefox", "top {in}", targets=(("speed", 250),)),
    Job("firefox-check", "firefox", "check {in}"),
    Job("folded-folded", "folded", "convert --to folded -o {out} {in}"),
    Job("chrome-top", "chrometrace", "top {in}", peers=("Python's json",) + RAW, targets=(("speed", 250),)),
    Job("chrome-check", "chrometrace", "check {in}"),
    Job("speedscope-top", "speedscope", "top {in}", peers=("speedscope's importer",), targets=(("speed", 250),)),
    Job("speedscope-evented-top", "speedscope-evented", "top {in}", peers=("speedscope's importer",), targets=(("speed", 250),)),
    Job("perf-script-top", "perfscript", "top {in}", peers=RAW, targets=(("speed", 250),)),
    Job("pprof-top", "pprof", "top {in}", peers=("go tool pprof",), targets=(("speed", 162),)),  # 3 million samples a second: 54 bytes each
    Job("pstats-top", "pstats", "top {in}", peers=("Python's pstats",), targets=(("speed", 200),)),
    Job("perf-data-top", "perf-data", "top --no-symbols {in}", peers=("perf report", "cat"), targets=(("speed", 500),)),
    Job("perf-data-check", "perf-data", "check {in}"),
    Job("otlp-top", "otlp", "top {in}", peers=("cat",), targets=(("speed", 51),)),  # 3 million samples a second
    Job("otlp-info", "otlp", "info {in}"),
    Job("otlp-check", "otlp", "check {in}"),
    Job("otlp-json-top", "otlp-json", "top {in}"),
    Job("otlp-otlp", "otlp", "convert --to otlp-profiles -o {out} {in}"),
    Job("valgrind-top", "valgrind", "top {in}", peers=("assay in Python", "callgrind_annotate") + RAW, targets=(("speed", 300),)),
    Job("valgrind-info", "valgrind", "info {in}"),
    Job("valgrind-check", "valgrind", "check {in}"),
    Job("valgrind-webgrind", "valgrind", "convert --to webgrind:7 -o {out} {in}"),
    Job("valgrind-callgrind", "valgrind", "convert --to callgrind -o {out} {in}"),
    Job("gz-webgrind", "xdebug.gz", "convert --to webgrind:7 -o {out} {in}", "wall", ("inflate alone", "inflate alone, zlib", "gzip -dc"),
        (("within", "inflate alone", 1.3),)),
    Job("zst-top", "xdebug.zst", "top {in}", "wall", ("zstd -dc",)),
    Job("webgrind-info", "webgrind", "info {in}"),
    Job("tlv-info", "tlv", "info {in}", peers=("cat",), targets=(("speed", 300),)),
    Job("tlv-top", "tlv", "top {in}", targets=(("speed", 300),)),
    Job("tlv-check", "tlv", "check {in}", targets=(("speed", 300),)),
    Job("tlv-rewrite", "tlv", "convert --to nytprof-tlv -o {out} {in}"),
    Job("events-info", "events", "info {in}", targets=(("speed", 300), ("flat",))),
    Job("events-top", "events", "top {in}", targets=(("speed", 300), ("flat",))),
    Job("events-check", "events", "check {in}", targets=(("speed", 300), ("flat",))),
    Job("hpcdb-info", "hpcdb", "info {in}", targets=(("seconds", 0.05),)),
    Job("hpcdb-top", "hpcdb", "top {in}", targets=(("seconds", 0.05),)),
    Job("hpcdb-hot-path", "hpcdb", "tree --hot-path {in}", targets=(("seconds", 0.2),)),
    Job("hpcdb-check", "hpcdb", "check {in}", targets=(("seconds", 1.5),)),
    Job("hpcdb-check-deep", "hpcdb", "check --deep {in}"),
    Job("hpcdb-rewrite", "hpcdb", "convert --to hpcdb -o {out}.d {in}"),
    Job("hpcdb-parquet", "hpcdb", "convert --to parquet -o {out}.parquet {in}", targets=(("memory", 60), ("size", ".parquet", 60))),
    Job("hpcdb-sqlite", "hpcdb", "convert --to sqlite -o {out}.db {in}", targets=(("memory", 60), ("size", ".db", 1000))),
    Job("hpcdb-query-place", "hpcdb", "query {in} 'select * from value where stream = 7 and node = 500'", targets=(("seconds", 0.01),)),
    Job("hpcdb-query-top", "hpcdb", "query {in} 'select * from top limit 20'", targets=(("seconds", 0.2),)),
    Job("hpcdb-query-count", "hpcdb", "query {in} 'select count(*) from value'", targets=(("seconds", 0.67),)),
    Job("hpcdb-query-sum", "hpcdb", "query {in} 'select sum(value) from value'", peers=("sqlite3 on our database", "DuckDB on our Parquet"), targets=(("seconds", 0.67),)),
    Job("hpcdb-measurements", "measurements", "convert --foreign --to hpcdb -o {out}.d {in}", targets=(("seconds", 6), ("memory", 300))),
    Job("hpcdb-timeline", "hpcdb-traces", "timeline {in}", targets=(("seconds", 1),)),
    Job("hpcdb-timeline-svg", "hpcdb-traces", "timeline -o {out}.svg {in}", targets=(("seconds", 1),)),
    Job("hpcdb-100k-info", "hpcdb-100k", "info {in}", targets=(("seconds", 0.05),)),
    Job("hpcdb-100k-top", "hpcdb-100k", "top {in}", targets=(("seconds", 0.05),)),
    Job("hpcdb-1m-info", "hpcdb-1m", "info {in}", targets=(("seconds", 0.3),)),
    Job("hpcdb-1m-top", "hpcdb-1m", "top {in}", targets=(("seconds", 0.3),)),
    Job("hpcdb-1m-tree", "hpcdb-1m", "tree {in}", targets=(("seconds", 0.5),)),
    Job("hpcdb-1m-hot-path", "hpcdb-1m", "tree --hot-path {in}", targets=(("seconds", 0.5),)),
    Job("hpcdb-1m-bottom-up", "hpcdb-1m", "tree --bottom-up {in}", targets=(("seconds", 0.5),)),
    Job("hpcdb-1m-flat", "hpcdb-1m", "tree --flat {in}", targets=(("seconds", 0.5),)),
    Job("cov-show", "cov-files", "cov -C {in}/repo show", targets=(("seconds", 0.05),)),
    Job("cov-log", "cov-reports", "cov -C {in}/repo log", targets=(("seconds", 0.05),)),
    Job("cov-report", "cov", "cov -C {in}/repo report {in}/report.json", targets=(("seconds", 1),), before="cov -C {in}/repo init --force"),
    Job("cov-check", "cov-reports", "check {in}/repo/.git/.covdata", targets=(("seconds", 3),)),
    Job("lcov-info", "lcov", "info {in}", peers=("lcov --summary",), targets=(("speed", 300),)),
    Job("cobertura-info", "cobertura", "info {in}", peers=("xmllint --stream", "Python's iterparse"), targets=(("speed", 150),)),
    Job("cobertura-check", "cobertura", "check {in}"),
    Job("lcov-check", "lcov", "check {in}"),
    Job("merge", "lcov-pair", "merge {in}/a.info {in}/b.info --to lcov -o {out}", peers=("lcov -a", "grcov"), targets=(("speed", 200),)),
    Job("lcov-lcov", "lcov", "convert --to lcov -o {out} {in}"),
    Job("hpcrun-info", "hpcrun", "info {in}", peers=("hpcproftt",), targets=(("speed", 500),)),
    Job("hpcrun-top", "hpcrun", "top {in}"),
    Job("hpcrun-check", "hpcrun", "check {in}", peers=("hpcproftt",), targets=(("speed", 300),)),
    Job("nytprof-stmts-info", "nytprof-stmts", "info {in}", peers=("Devel::NYTProf",) + RAW, targets=(("speed", 300), ("flat",))),
    Job("nytprof-stmts-top", "nytprof-stmts", "top {in}", peers=("Devel::NYTProf",), targets=(("speed", 300), ("flat",))),
    Job("nytprof-subs-info", "nytprof-subs", "info {in}", peers=("Devel::NYTProf",), targets=(("speed", 300),)),
    Job("nytprof-subs-top", "nytprof-subs", "top {in}", peers=("Devel::NYTProf",), targets=(("speed", 300),)),
    Job("nytprof-evals-info", "nytprof-evals", "info {in}", peers=("Devel::NYTProf",)),
    Job("nytprof-check", "nytprof-subs", "check {in}"),
    Job("nytprof-rewrite", "nytprof-subs", "convert --to nytprof -o {out} {in}"),
    Job("nytprof-z-top", "nytprof-stmts.z", "top {in}", "wall", ("inflate alone", "inflate alone, zlib", "Devel::NYTProf"), (("within", "inflate alone", 1.3),)),
)
# Files as real programs give them, and what the commands should reach on them.
REAL = {"clang": (("top", 350), ("info", 350), ("check", 350)), "cpp": (("top", 350), ("info", 350), ("check", 350)),
        "phpcs": (("webgrind", 500), ("exact-tree", 150), ("top", 600), ("info", 600), ("check", 350), ("flame", 300), ("dump", 150)),
        "perltidy": (("info", 500), ("top", 500)), "lcov-files": (("info", 450), ("lcov", 250))}
ARGUMENTS = {"webgrind": "convert --to webgrind:7 -o {out} {in}", "exact-tree": "convert --to webgrind:4 -o {out} {in}", "flame": "flame -o {out} {in}", "lcov": "convert --to lcov -o {out} {in}"}
JOBS += tuple(Job("%s-%s" % (source, what), source, ARGUMENTS.get(what, what + " {in}"), targets=(("speed", speed),))
              for source, speeds in REAL.items() for what, speed in speeds)
# One file on two cores, by the clock: the same commands as above.
ON_TWO = {"xdebug-webgrind": 900, "xdebug-top": 1100, "xdebug-info": 1100, "xdebug-exact-tree": 250, "xdebug-flame": 500, "valgrind-top": 600, "valgrind-info": 600,
          "clang-top": 600, "clang-info": 600, "clang-check": 600, "cpp-top": 600, "cpp-info": 600, "cpp-check": 600, "valgrind-check": 600,
          "phpcs-webgrind": 900, "phpcs-top": 1100, "phpcs-info": 1100, "phpcs-exact-tree": 250, "phpcs-flame": 500,
          "lcov-info": 800, "lcov-lcov": 400, "merge": 450}
JOBS += tuple(Job(job.name + "-2", job.source, shlex.join(job.args[:-2] + ["-j", "2"]), "wall", targets=(("speed", ON_TWO[job.name]),))
              for job in JOBS if job.name in ON_TWO)
# Shapes on which a table that collides, a list that is searched, or a path that is walked for each function would take a thousand instructions for each byte.
SHAPES = {"chain": ("top {in}", "tree --estimate {in}", "flame --estimate -o {out} {in}", "convert --to dot -o {out} {in}"),
          "ring": ("top {in}", "tree --estimate {in}", "convert --to dot -o {out} {in}"),
          "pairs": ("tree --estimate {in}",),
          "grid": ("top {in}", "flame --estimate -o {out} {in}"),
          "star": ("callers hub {in}", "tree --estimate --bottom-up {in}"),
          "homes": ("top {in}", "tree --estimate {in}"),
          "files": ("info {in}", "top {in}", "convert --to cobertura -o {out} {in}"),
          "streams": ("info {in}", "top {in}"),
          "labels": ("info {in}", "convert --to lcov -o {out} {in}"),
          "names": ("info {in}", "top {in}")}
SHAPE_MOST, SHAPE_DOT_MOST = 500, 1500  # a picture as text is several times as long as its input
JOBS += tuple(Job("shape-%s-%s" % (shape, "dot" if "dot" in args else args.split()[0]), "shape-" + shape, args, most=SHAPE_DOT_MOST if "dot" in args else SHAPE_MOST)
              for shape, all_args in SHAPES.items() for args in all_args)
FLAT_SHARE, FLAT_ROOM = 10, 4e6  # flat: no more than this on top of what an input of a tenth of the length needs
INSTRUCTIONS_MB = 2
WATCH_LONG_S, WATCH_SHORT_RUNS = 0.5, 4  # a short run can peak between two looks at its memory


class Bench:
    def __init__(self, options):
        self.options = options
        self.assay = options.assay
        self.inputs = inputs.Inputs(ROOT, options.assay, options.seed)
        self.peers = peers.Peers(ROOT, self.inputs)
        self.out = os.path.join(self.inputs.folder, "out")

    def argv(self, job, path):
        return self.words(job.args, path)

    def words(self, args, path):
        return [self.assay] + [word.format(**{"in": path, "out": self.out}) for word in args]

    def prepare(self, job, path):
        if job.before:
            subprocess.run(self.words(job.before, path), stdout=subprocess.DEVNULL, check=False)

    def once(self, job, path, cores, watch=False):
        self.prepare(job, path)
        return measure.run(self.argv(job, path), cores, watch=watch)

    def time(self, job, mb, repeat):
        """The best times of `repeat` runs, and the largest memory of one more that is watched, or of several short ones. Raises Failed."""
        path = self.inputs.path(job.source, mb)
        cores = measure.cores_for(job.cores)
        runs = [self.once(job, path, cores) for _ in range(repeat)]
        cpu, wall = min(r.cpu for r in runs), min(r.wall for r in runs)
        watched = [self.once(job, path, cores, watch=True) for _ in range(1 if wall > WATCH_LONG_S else WATCH_SHORT_RUNS)]
        for run in runs + watched:
            if run.code != 0:
                raise inputs.Failed("%s ended with exit code %d" % (shlex.join(self.argv(job, path)), run.code))
        return measure.Run(cpu, wall, 0, *(max(getattr(r, field) for r in watched) for field in ("anon", "rss", "max_rss")), False)

    def measure(self, job):
        mb = self.options.mb
        best = self.time(job, mb, self.options.repeat)
        text_len = self.inputs.text_len(job.source, mb)
        seconds = best.cpu if job.clock == "cpu" else best.wall
        row = {"job": job.name, "command": shlex.join(["assay"] + job.args), "input": job.source, "input_mb": text_len / 1e6, "clock": job.clock,
               "cpu_s": best.cpu, "wall_s": best.wall, "mb_s": text_len / 1e6 / seconds, "peak_anon_mb": best.anon / 1e6, "peak_rss_mb": best.rss / 1e6,
               "max_rss_mb": best.max_rss / 1e6, "exit": best.code}
        row["peers"] = [self.beside(job, row, name) for name in self.peers.names_for(job)]
        row["targets"] = [t for t in (self.judge(job, row, target) for target in job.targets) if t]
        return row

    def beside(self, job, row, name):
        peer = self.peers.time(name, job, self.options)
        if "mb_s" in peer:
            peer["ratio"] = row["mb_s"] / peer["mb_s"]
        return peer

    def judge(self, job, row, target):
        kind = target[0]
        if kind == "speed":
            return {"target": ">= %d MB/s" % target[1], "met": row["mb_s"] >= target[1]}
        if kind == "seconds":
            return {"target": "<= %g s" % target[1], "met": row["cpu_s"] <= target[1]}
        if kind == "memory":
            return {"target": "<= %d MB" % target[1], "met": row["peak_anon_mb"] <= target[1]}
        if kind == "size":
            size = written(self.out + target[1]) / 1e6
            return {"target": "<= %d MB written (%.1f MB)" % (target[2], size), "met": size <= target[2]}
        if kind == "flat":
            small = self.time(job, self.options.mb / FLAT_SHARE, 1).anon
            return {"target": "flat (%.1f MB for a tenth)" % (small / 1e6), "met": row["peak_anon_mb"] * 1e6 <= small + FLAT_ROOM}
        ratios = [p["ratio"] for p in row["peers"] if p["peer"] == target[1] and "ratio" in p]
        return {"target": "within %.1fx of %s (%.2fx)" % (target[2], target[1], 1 / ratios[0]), "met": 1 / ratios[0] <= target[2]} if ratios else None

    def count(self, job):
        """Instructions for each byte of text, by Valgrind."""
        path = self.inputs.path(job.source, INSTRUCTIONS_MB)
        text_len = self.inputs.text_len(job.source, INSTRUCTIONS_MB)
        self.prepare(job, path)
        ours = peers.count_instructions(self.argv(job, path))
        row = {"job": job.name, "input_mb": text_len / 1e6, "instructions": ours, "per_byte": ours / text_len, "most": job.most, "peers": []}
        for name in self.peers.names_for(job):
            theirs = self.peers.count(name, job, INSTRUCTIONS_MB)
            if theirs:
                row["peers"].append({"peer": name, "instructions": theirs, "per_byte": theirs / text_len, "ratio": theirs / ours})
        return row


def written(path):
    """Bytes of a file, or of all files of a folder."""
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


def each(jobs, what):
    """The rows of the jobs that could be measured; what could not is said. The second answer: whether one failed."""
    rows, failed = [], False
    for job in jobs:
        say("%s ..." % job.name)
        try:
            rows.append(what(job))
        except inputs.Missing as why:
            say("%s is skipped: %s" % (job.name, why))
        except inputs.Failed as why:
            say("%s failed: %s" % (job.name, why))
            failed = True
    return rows, failed


def say(text):
    print("bench: %s" % text, file=sys.stderr, flush=True)


def parse(argv):
    parser = argparse.ArgumentParser(prog="./dev bench", description="Measures the command against other programs.")
    parser.add_argument("--mb", type=float, default=200, help="length of the inputs, in million bytes (200)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each job; the best one counts (3)")
    parser.add_argument("--only", metavar="NAME", action="append", help="only this job; * and ? stand for others; may be repeated")
    parser.add_argument("--seed", type=int, default=1, help="another input of the same kind")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too; - is standard output")
    parser.add_argument("--instructions", action="store_true", help="count instructions by Valgrind on small inputs: steady on a busy machine")
    parser.add_argument("--write-readme", action="store_true", help="times and instructions, into the tables of bench/README.md")
    parser.add_argument("--assay", metavar="PATH", default=os.path.join(ROOT, "build", "src", "assay"), help="the command to measure (build/src/assay)")
    parser.add_argument("--list", action="store_true", help="name the jobs and end")
    options = parser.parse_args(argv)
    if options.mb <= 0 or options.repeat < 1:
        parser.error("--mb and --repeat must be above 0")
    if options.write_readme and options.only:
        parser.error("--write-readme needs all jobs: leave --only out")
    options.jobs = [job for job in JOBS if not options.only or any(fnmatch.fnmatch(job.name, name) for name in options.only)]
    if not options.jobs:
        parser.error("no such job: --list names them")
    return options


def said_again(options):
    """The command that gives these figures."""
    defaults = {"mb": 200, "repeat": 3, "seed": 1}
    changed = ["--%s %g" % (name, getattr(options, name)) for name, value in defaults.items() if getattr(options, name) != value]
    return " ".join(["./dev bench"] + changed)


def main(argv):
    options = parse(argv)
    if options.list:
        for job in JOBS:
            print("%-20s assay %s" % (job.name, " ".join(job.args).replace("{in}", job.source).replace("{out}", "OUT")))
        return 0
    try:
        bench = Bench(options)
        result = report.machine(options.assay, said_again(options), bench.inputs)
    except (inputs.Missing, OSError) as why:
        say(why)
        return 2
    if result["load"] > 0.5:
        say("the machine is busy (load %.1f): wall times are too long, CPU times somewhat" % result["load"])
    failed = False
    tables = sys.stderr if options.json == "-" else sys.stdout
    if not options.instructions or options.write_readme:
        result["jobs"], failed = each(options.jobs, bench.measure)
        report.print_times(result, tables)
    if options.instructions or options.write_readme:
        result["instructions"], lost = each(options.jobs, bench.count)
        over = [row["job"] for row in result["instructions"] if row["most"] and row["per_byte"] > row["most"]]
        for name in over:
            say("%s takes more instructions than it may" % name)
        failed = failed or lost or bool(over)
        report.print_instructions(result, tables)
    if options.json == "-":
        print(json.dumps(result, indent=1))
    elif options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(json.dumps(result, indent=1) + "\n")
    if options.write_readme and not failed:
        report.write_readme(os.path.join(ROOT, "bench", "README.md"), result)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
