"""The inputs of the bench: made once, kept in a directory, and made again when their generator changes."""
import hashlib
import os
import shutil
import subprocess
import sys

BLOCK = 1 << 20


DATABASES = {"hpcdb": (10000000, 12000, 3), "hpcdb-100k": (1500000, 100000, 2), "hpcdb-1m": (6000000, 1000000, 1)}  # values, contexts, metrics


def files_of(path):
    """The file, or those of a directory."""
    if not os.path.isdir(path):
        return [path]
    return [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]


COVERAGE = {"lcov": ("make-lcov.py", ".info", 64), "cobertura": ("make-cobertura.py", ".xml", 28.36)}  # script, extension, files of 1 MB


class Missing(Exception):
    """Something that is not on this machine; the job is skipped."""


class Failed(Exception):
    """Something that should have worked; the bench fails."""


# files, lines and functions of each, reports
# Names of shared/bench/make-exchange.py, with the extension that a user would see.
EXCHANGE = {"chrometrace": ".json", "cpuprofile": ".cpuprofile", "firefox": ".json", "speedscope": ".speedscope.json", "speedscope-evented": ".speedscope.json",
            "perfscript": ".perf", "pprof": ".pb"}
# Shapes of real files: the script that makes them, its arguments, the extension.
REAL = {"clang": ("make_callgrind.py", ["--style", "clang"], ".callgrind"), "cpp": ("make_callgrind.py", ["--style", "cpp"], ".callgrind"),
        "phpcs": ("record.py", ["--style", "phpcs"], ".xdebug"), "perltidy": ("record.py", ["--style", "perltidy"], ".nytprof"), "lcov-files": ("make_lcov.py", [], ".info")}
NOT_THERE = 77  # exit code of record.py
STORES = {"cov": (2000, 500, 20, 0), "cov-files": (2000, 500, 20, 2), "cov-reports": (50, 50, 2, 2000)}


class Inputs:
    """cov: a git repository with a report of a million lines; cov-files: one with a store of two thousand files; cov-reports: of two thousand reports;
    xdebug, valgrind, folded: texts; chrometrace, cpuprofile, firefox, speedscope: JSON; perfscript, pprof, pstats: what their names say; perf-data: a recording; xdebug.gz, xdebug.zst: one of them compressed; webgrind: what the command makes of it; tlv, events: chunked NYTProf streams; otlp, otlp-json: OpenTelemetry profiles;
    clang, cpp: Callgrind text as of real programs; phpcs, perltidy: recordings of Xdebug and NYTProf; lcov-files: coverage of a project of 20,000 files;
    shape-STYLE: what make_shapes.py makes; nytprof-KIND: streams of statements, calls or evals, .z: compressed; lcov, cobertura: coverage; lcov-pair: two runs; hpcrun: a profile; measurements: 16 of them, with traces;
    hpcdb-traces: a database with ten million samples; hpcdb, hpcdb-100k, hpcdb-1m:
    directories with ten million values, a hundred thousand contexts, a million contexts (at --mb 200; shorter in
    proportion)."""

    def __init__(self, root, assay, seed):
        if not os.path.isfile(assay):
            raise Missing("%s not found: build it first (./dev build)" % assay)
        self.assay, self.seed = assay, seed
        self.folder = os.environ.get("ASSAY_BENCH_DIR") or os.path.join(root, "build", "bench-data")
        os.makedirs(self.folder, exist_ok=True)
        self.makers = os.path.join(os.environ.get("ASSAY_SHARED") or os.path.join(root, "..", "shared"), "bench")
        shared = os.path.join(self.makers, "make-callgrind.py")
        self.maker = shared if os.path.isfile(shared) else os.path.join(root, "bench", "make.py")
        self.tlv_maker = os.path.join(root, "bench", "make_tlv.py")
        self.digest, self.tlv_digest = self._digest(self.maker), self._digest(self.tlv_maker)
        self.database_maker = os.path.join(root, "bench", "make_hpcdb.py")
        self.nytprof_maker = os.path.join(self.makers, "make-nytprof.py")
        self.made = {}

    @staticmethod
    def _digest(path):
        with open(path, "rb") as script:
            return hashlib.sha256(script.read()).hexdigest()[:8]

    def maker_name(self):
        return os.path.basename(self.maker)

    def path(self, name, mb):
        """The file of an input, which is then also in the page cache. Raises Missing or Failed."""
        key = (name, mb)
        if key not in self.made:
            self.made[key] = self._make(name, mb)
            for name in files_of(self.made[key]):
                with open(name, "rb") as file:
                    while file.read(BLOCK):
                        pass
        return self.made[key]

    def text_len(self, name, mb):
        """Compressed inputs count by their decompressed size, so that their speeds can be compared with the others."""
        return sum(map(os.path.getsize, files_of(self.path(name.removesuffix(".gz").removesuffix(".zst").removesuffix(".z"), mb))))

    def _make(self, name, mb):
        if name in DATABASES:
            return self._database(name, mb)
        stem = os.path.join(self.folder, "%s-%g-%d-%s" % (name.split(".")[0], mb, self.seed, self.digest))
        if name in ("xdebug", "valgrind"):
            return self._once(stem + ".txt", [sys.executable, self.maker, "--style", name, "--mb", "%g" % mb, "--seed", "%d" % self.seed])
        if name == "folded":
            return self._folded(mb)
        if name in EXCHANGE:
            return self._exchange(name, mb)
        if name == "pstats":
            maker = os.path.join(os.path.dirname(self.tlv_maker), "make_pstats.py")
            path = os.path.join(self.folder, "pstats-%g-%d-%s.pstats" % (mb, self.seed, self._digest(maker)))
            return self._once(path, [sys.executable, maker, "--mb", "%g" % mb, "--seed", "%d" % self.seed])
        if name == "perf-data":
            maker = os.path.join(os.path.dirname(self.tlv_maker), "make_perf_data.py")
            path = os.path.join(self.folder, "perf-%g-%d-%s.perf.data" % (mb, self.seed, self._digest(maker)))
            return self._once(path, [sys.executable, maker, "--mb", "%g" % mb, "--seed", "%d" % self.seed])
        if name in ("otlp", "otlp-json"):
            maker = os.path.join(os.path.dirname(self.tlv_maker), "make_otlp.py")
            path = os.path.join(self.folder, "%s-%g-%d-%s" % (name, mb, self.seed, self._digest(maker)))
            options = ["--json"] if name == "otlp-json" else []
            return self._once(path, [sys.executable, maker, "--mb", "%g" % mb, "--seed", "%d" % self.seed, *options])
        if name in REAL:
            return self._real(name, mb)
        if name.startswith("shape-"):
            maker = os.path.join(os.path.dirname(self.tlv_maker), "make_shapes.py")
            path = os.path.join(self.folder, "%s-%g-%s.txt" % (name, mb, self._digest(maker)))
            return self._once(path, [sys.executable, maker, "--style", name.removeprefix("shape-"), "--mb", "%g" % mb])
        if name in ("tlv", "events"):
            path = os.path.join(self.folder, "%s-%g-%d-%s.nytprof-tlv" % (name, mb, self.seed, self.tlv_digest))
            style = "tables" if name == "tlv" else name
            return self._once(path, [sys.executable, self.tlv_maker, "--style", style, "--mb", "%g" % mb, "--seed", "%d" % self.seed])
        if name in STORES:
            return self._store(name)
        if name == "lcov-pair":
            return self._pair(stem, mb)
        if name in COVERAGE:
            script, extension, files = COVERAGE[name]
            maker = os.path.join(os.path.dirname(self.maker), script)
            if not os.path.isfile(maker):
                raise Missing("%s not found next to %s" % (script, self.maker_name()))
            return self._once(stem + extension, [sys.executable, maker, "--files", "%d" % max(1, round(mb * files))])
        if name.startswith("nytprof-"):
            return self._nytprof(stem, name, mb)
        if name == "webgrind":
            # never kept: it has to come from the command that is measured
            return self._write(stem + ".webgrind", [self.assay, "convert", self.path("xdebug", mb), "--to", "webgrind:7"])
        if name == "hpcrun":
            return self._profile(stem, mb)
        if name == "measurements":
            return self._measurements(stem, mb)
        if name == "hpcdb-traces":
            return self._traces(stem, mb)
        packers = {"xdebug.gz": ["gzip", "-6", "-n", "-c"], "xdebug.zst": ["zstd", "-3", "-q", "-c"]}
        return self._once(stem + ".txt" + name[len("xdebug"):], packers[name] + [self.path("xdebug", mb)])

    def _real(self, name, mb):
        script, options, extension = REAL[name]
        maker = os.path.join(os.path.dirname(self.tlv_maker), script)
        path = os.path.join(self.folder, "%s-%g-%d-%s%s" % (name, mb, self.seed, self._digest(maker), extension))
        argv = [sys.executable, maker, *options, "--mb", "%g" % mb]
        if script != "record.py":
            return self._once(path, argv + ["--seed", "%d" % self.seed])
        if not os.path.isfile(path) and (code := subprocess.run([*argv, "--out", path], check=False).returncode) != 0:
            raise Missing("the program or its profiler is not installed") if code == NOT_THERE else Failed("%s failed" % " ".join(argv))
        return path

    def _folded(self, mb):
        """Stacks in no order."""
        shared = os.path.join(self.makers, "make-exchange.py")
        maker, style = (shared, "--format") if os.path.isfile(shared) else (os.path.join(os.path.dirname(self.tlv_maker), "make.py"), "--style")
        path = os.path.join(self.folder, "folded-%g-%d-%s.folded" % (mb, self.seed, self._digest(maker)))
        return self._once(path, [sys.executable, maker, style, "folded", "--mb", "%g" % mb, "--seed", "%d" % self.seed])

    def _exchange(self, name, mb):
        """A format that the shared generator of exchange formats knows by this name."""
        maker = os.path.join(self.makers, "make-exchange.py")
        if not os.path.isfile(maker):
            raise Missing("make-exchange.py not found")
        path = os.path.join(self.folder, "%s-%g-%d-%s%s" % (name, mb, self.seed, self._digest(maker), EXCHANGE[name]))
        return self._once(path, [sys.executable, maker, "--format", name, "--mb", "%g" % mb, "--seed", "%d" % self.seed])

    def _pair(self, stem, mb):
        """Two runs of the same program, half of the length each."""
        _, _, files = COVERAGE["lcov"]
        maker = os.path.join(self.makers, "make-lcov.py")
        if not os.path.isfile(maker):
            raise Missing("%s not found" % maker)
        folder = "%s-%s.d" % (stem, self._digest(maker))
        os.makedirs(folder, exist_ok=True)
        for name, variant in (("a.info", 0), ("b.info", 1)):
            self._once(os.path.join(folder, name), [sys.executable, maker, "--files", "%d" % max(1, round(mb * files / 2)), "--variant", "%d" % variant])
        return folder

    def _store(self, name):
        """A git repository and its store, always of the same size."""
        maker = os.path.join(self.makers, "gen-cov.py")
        if not os.path.isfile(maker) or not shutil.which("git"):
            raise Missing("git or %s not found" % maker)
        folder = os.path.join(self.folder, "%s-%d-%s.d" % (name, self.seed, self._digest(maker)))
        sizes = zip(("--files", "--lines", "--functions", "--reports"), STORES[name])
        argv = [sys.executable, maker, folder + ".part", "--seed", "%d" % self.seed] + [word for key, n in sizes for word in (key, "%d" % n)]
        if not os.path.isdir(folder):
            shutil.rmtree(folder + ".part", ignore_errors=True)
            if subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False).returncode != 0:
                raise Failed("%s failed" % " ".join(argv))
            os.replace(folder + ".part", folder)
        return folder

    def _database(self, name, mb):
        with open(self.database_maker, "rb") as script:
            digest = hashlib.sha256(script.read()).hexdigest()[:8]
        folder = os.path.join(self.folder, "%s-%g-%d-%s.d" % (name, mb, self.seed, digest))
        values, contexts, metrics = DATABASES[name]
        share = mb / 200
        argv = [sys.executable, self.database_maker, folder + ".part", "--values", "%d" % (values * share), "--contexts", "%d" % max(100, contexts * share),
                "--metrics", "%d" % metrics, "--seed", "%d" % self.seed]
        if not os.path.isdir(folder):
            shutil.rmtree(folder + ".part", ignore_errors=True)
            if subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False).returncode != 0:
                raise Failed("%s failed" % " ".join(argv))
            os.replace(folder + ".part", folder)
        return folder

    def _folder(self, script, folder, arguments):
        """A folder that a script of the shared folder makes."""
        maker = os.path.join(self.makers, script)
        if not os.path.isfile(maker):
            raise Missing("%s not found" % maker)
        if not os.path.isdir(folder):
            argv = [sys.executable, maker, folder + ".part", *arguments]
            shutil.rmtree(folder + ".part", ignore_errors=True)
            if subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False).returncode != 0:
                raise Failed("%s failed" % " ".join(argv))
            os.replace(folder + ".part", folder)
        return folder

    def _measurements(self, stem, mb):
        """16 threads with four metrics, traces and a structure file."""
        share = mb / 200
        return self._folder("make-hpcrun.py", stem + ".m", ["--profiles", "16", "--nodes", "%d" % max(100, 60000 * share), "--metrics", "4", "--traces", "%d" % (20000 * share)])

    def _traces(self, stem, mb):
        """Ten million samples on 100 streams, and next to nothing else."""
        return self._folder("make-hpcdb.py", stem + ".d", ["--profiles", "110", "--contexts", "12000", "--metrics", "1", "--density", "0.02", "--traces", "%d" % max(100, 500 * mb)])

    def _profile(self, stem, mb):
        """One thread with four metrics: about 39 bytes for each node. The generator writes a folder."""
        path = os.path.join(stem, "app-000000-000-007f0101-4242-0.hpcrun")
        maker = os.path.join(self.makers, "make-hpcrun.py")
        if os.path.isfile(path):
            return path
        if not os.path.isfile(maker):
            raise Missing("%s not found" % maker)
        argv = [sys.executable, maker, stem, "--profiles", "1", "--nodes", "%d" % (mb * 1e6 / 39), "--metrics", "4", "--traces", "0", "--no-struct"]
        if subprocess.run(argv + ["--seed", "%d" % self.seed], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            raise Failed("%s failed" % " ".join(argv))
        return path

    def _nytprof(self, stem, name, mb):
        if not os.path.isfile(self.nytprof_maker):
            raise Missing("%s not found" % self.nytprof_maker)
        kind, _, compressed = name.removeprefix("nytprof-").partition(".")
        argv = [sys.executable, self.nytprof_maker, "--kind", kind, "--mb", "%g" % (mb * 1e6 / 2**20), "--seed", "%d" % self.seed, "-o", "/dev/stdout"]
        return self._once(stem + (".z.nytprof" if compressed else ".nytprof"), argv + (["--compress", "6"] if compressed else []))

    def _once(self, path, argv):
        return path if os.path.isfile(path) else self._write(path, argv)

    def _write(self, path, argv):
        """A file under its own name is always whole."""
        if not shutil.which(argv[0]):
            raise Missing("%s not found" % argv[0])
        with open(path + ".part", "wb") as file:
            code = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.DEVNULL, check=False).returncode
        if code != 0:
            raise Failed("%s ended with exit code %d" % (" ".join(argv), code))
        os.replace(path + ".part", path)
        return path
