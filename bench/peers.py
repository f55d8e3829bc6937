"""The programs that the command is measured against: those of the system, a small one that only decompresses, and whatever the environment names."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import inputs
import measure

# name: command, and where it is slow: the longest input it gets, and when it is stopped (it runs once then)
SYSTEM = {
    "wc -l": ("wc -l {in}", None, None),
    "cat": ("cat {in}", None, None),
    "gzip -dc": ("gzip -dc {in}", None, None),
    "zstd -dc": ("zstd -q -dc {in}", None, None),
    "lcov --summary": ("lcov --rc lcov_branch_coverage=1 --summary {in}", 5, 120),
    "lcov -a": ("lcov --rc lcov_branch_coverage=1 -a {in}/a.info -a {in}/b.info -o {out}", 5, 120),
    "grcov": ("grcov {in} -t lcov --branch -o {out}", None, None),
    "xmllint --stream": ("xmllint --stream --noout {in}", None, None),
    "Python's iterparse": ("python3 -c 'import sys, xml.etree.ElementTree as E; [e.clear() for _, e in E.iterparse(sys.argv[1])]' {in}", 20, 120),
    "Python's json": ("python3 -c 'import json, sys; json.load(open(sys.argv[1]))' {in}", 20, 120),
    "flamegraph.pl": ("flamegraph.pl {in}", 20, 120),
    "speedscope's importer": ("node {makers}/../tools/peers/speedscope.mjs {in}", 20, 120),  # in the packages that ./dev test installs, or $JUDGE_MODULES
    "go tool pprof": ("go tool pprof -top -symbolize=none {in}", 20, 120),
    "Python's pstats": ("python3 -c 'import pstats, sys; pstats.Stats(sys.argv[1]).sort_stats(1).print_stats(30)' {in}", 20, 120),
    "perf report": ("perf report -i {in} --stdio --children -g none", 20, 120),
    "hpcproftt": ("hpcproftt {in}", 20, 120),
    "Devel::NYTProf": ("perl -MDevel::NYTProf::Data -e 'Devel::NYTProf::Data->new({ filename => shift, quiet => 1 })' {in}", 50, 120),
    # what the jobs hpcdb-sqlite and hpcdb-parquet have written before
    "sqlite3 on our database": ("sqlite3 {made}.db 'select sum(value) from value'", None, None),
    "DuckDB on our Parquet": ("env PEER_MODULES={root}/build/peers/node_modules node {root}/tests/peers/loaders/duckdb.mjs \"select sum(value) from '{made}.parquet/value.parquet'\"", None, None),
    # the same work by the same library, from Python
    "assay in Python": ("env PYTHONPATH={root}/python ASSAY_LIBRARY={root}/build/src/libassay.so.0 {python} -c 'import assay, sys; print(assay.read(sys.argv[1], want=\"top\").top(limit=30)[\"name\"].tolist())' {in}", None, None),
    "callgrind_annotate": ("callgrind_annotate --auto=no {in}", 20, 120),
}
GIVEN = {"webgrind's preprocessor": "ASSAY_PEER_WEBGRIND"}  # only where the variable has a command
# compiled when they are needed, with the first libraries that are there; {root} is the folder of the sources
COMPILED = {
    "inflate alone": ("inflate.c", (["-DBENCH_ISAL", "-lisal"], ["-lz"])),
    "inflate alone, zlib": ("inflate.c", (["-lz"],)),
    "reading a tree alone": ("read_tree.c", (["-I{root}/include", "-L{build}", "-lassay", "-Wl,-rpath,{build}"],)),
}


class Peers:
    def __init__(self, root, made):
        self.root, self.inputs = root, made
        self.compiled = {}
        self.known = {}
        os.environ.setdefault("JUDGE_MODULES", os.path.join(root, "build", "peers", "node_modules"))

    def names_for(self, job):
        """A program of ASSAY_PEER_<JOB> comes first."""
        variable = "ASSAY_PEER_" + re.sub(r"\W", "_", job.name).upper()
        given = ["$" + variable] if os.environ.get(variable) else []
        return given + [name for name in job.peers if name not in GIVEN or os.environ.get(GIVEN[name])]

    def time(self, name, job, options):
        """{"peer", "mb_s", ...} by the clock of the job, or {"peer", "note"} saying why not. One measurement serves all jobs of an input."""
        key = (name, job.source, job.clock)
        if key not in self.known:
            self.known[key] = self._time(name, job, options)
        return dict(self.known[key])

    def count(self, name, job, mb):
        """Instructions, or None: scripts and stray programs are not worth counting."""
        if name in SYSTEM:
            return None
        try:
            return count_instructions(self._argv(name, self.inputs.path(job.source, mb)))
        except (inputs.Missing, inputs.Failed):
            return None

    def _time(self, name, job, options):
        _, longest, timeout = SYSTEM.get(name, (None, None, None))
        mb = min(options.mb, longest) if longest else options.mb
        try:
            argv = self._argv(name, self.inputs.path(job.source, mb))
            runs = [measure.run(argv, measure.cores_for(job.cores), timeout=timeout) for _ in range(1 if longest else options.repeat)]
        except (inputs.Missing, OSError) as why:
            return {"peer": name, "note": str(why)}
        text_mb = self.inputs.text_len(job.source, mb) / 1e6
        peer = {"peer": name, "input_mb": text_mb, "cpu_s": min(r.cpu for r in runs), "wall_s": min(r.wall for r in runs)}
        if mb != options.mb:
            peer["note"] = "on %g MB" % mb
        if any(r.timed_out for r in runs):
            peer["note"] = "over %d s on %g MB" % (timeout, mb)
            return peer
        if any(r.code != 0 for r in runs):
            return {"peer": name, "note": "failed"}
        peer["mb_s"] = text_mb / (peer["cpu_s"] if job.clock == "cpu" else peer["wall_s"])
        return peer

    def _argv(self, name, path):
        if name in COMPILED:
            return [self._compile(name), path]
        command = SYSTEM[name][0] if name in SYSTEM else os.environ[name[1:] if name.startswith("$") else GIVEN[name]]
        out = os.path.join(self.inputs.folder, "peer-out")
        places = {"{in}": path, "{out}": out, "{made}": os.path.join(self.inputs.folder, "out"), "{root}": self.root, "{python}": sys.executable, "{makers}": self.inputs.makers}
        argv = shlex.split(command)
        for place, what in places.items():
            argv = [word.replace(place, what) for word in argv]
        if not shutil.which(argv[0]):
            raise inputs.Missing("%s not found" % argv[0])
        return argv

    def _compile(self, name):
        """Once for each run of the bench. Raises Missing."""
        if name not in self.compiled:
            source, choices = COMPILED[name]
            program = os.path.join(self.inputs.folder, "%s-%d" % (source.removesuffix(".c"), len(self.compiled)))
            places = {"root": self.root, "build": os.path.dirname(os.path.abspath(self.inputs.assay))}
            compiler = shlex.split(os.environ.get("CC", "cc")) + ["-O2", "-o", program, os.path.join(self.root, "bench", source)]
            if not any(compiles(compiler + [word.format(**places) for word in libraries]) for libraries in choices):
                raise inputs.Missing("bench/%s cannot be compiled here" % source)
            self.compiled[name] = program
        return self.compiled[name]


def compiles(argv):
    try:
        return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def count_instructions(argv):
    """By Valgrind, all threads together, with the same hashes each time. Raises Missing or Failed."""
    if not shutil.which("valgrind"):
        raise inputs.Missing("valgrind not found")
    with tempfile.NamedTemporaryFile() as profile:
        tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + profile.name]  # half the time of callgrind
        done = subprocess.run(tool + argv, env={**os.environ, "ASSAY_HASH_SEED": "1"}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors="replace", check=False)
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode != 0 or not found:
        raise inputs.Failed("valgrind %s ended with exit code %d" % (shlex.join(argv), done.returncode))
    return int(found.group(1).replace(",", ""))
