#!/usr/bin/env python3
"""assay-mpi: the database, or the sum of files, of any number of ranks has the bytes of the one that a single process writes, and whatever goes wrong on one
rank, one sentence says so and nothing is left.

  ranks.py KILLER.so ASSAY_MPI [all]

Faults come by tests/store/killer.c: the n-th call of one rank that changes the output fails as on a full disk, or the rank is killed right before it.
"""
import filecmp
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, SKIP, Tally, assay, run, said  # noqa: E402

LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--quiet", "--mca", "btl_vader_single_copy_mechanism", "none"]
PATIENCE = 120
# Only the chosen rank has the fault.
KILLED = 'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then exec timeout -s KILL 1 "$@"; fi; exec "$@"'
FAULTY = 'if [ "$OMPI_COMM_WORLD_RANK" = "$FAULT_RANK" ]; then export LD_PRELOAD="$FAULT_LIBRARY"; fi; exec "$@"'


class Ranks:
    def __init__(self, program):
        self.program = program

    def __call__(self, count, *args, fault=None, under=None, **extra):
        command = [*LAUNCH, "-n", str(count)]
        if fault or under:
            command += ["sh", "-c", under or FAULTY, "sh"]
        return run(*command, self.program, *args, timeout=PATIENCE, env={**os.environ, **extra, **(fault or {})})


def same_files(one, other):
    names = sorted(p.relative_to(one).as_posix() for p in one.rglob("*") if p.is_file())
    if names != sorted(p.relative_to(other).as_posix() for p in other.rglob("*") if p.is_file()):
        return "other files"
    return next((f"{n} differs" for n in names if not filecmp.cmp(one / n, other / n, shallow=False)), "")


def sentences(result):
    return [line for line in result.stderr.decode(errors="replace").splitlines() if line.startswith("assay: ")]


# ---- inputs ----

def directories(folder, everything):
    """Measurements of every kind there is here, with what they are called."""
    yield FIXTURES / "app.m"
    data = SHARED / "data" / "hpcrun"
    if not data.is_dir():
        return
    for name in ("demo/ranks.m",) + (("demo/demo.m", "demo/demo-struct.m", "damaged", "files", "historic", "seed") if everything else ()):
        yield data / name
    for archive in sorted((data / "meas").glob("*.tar.gz")):
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(folder)
    wanted = sorted(folder.glob("*.m"))
    yield from (wanted if everything else [w for w in wanted if w.name in ("recursion-cuda-nvidiapc-t.m", "synth.m")])


def generated(folder, name, *options):
    maker = SHARED / "bench" / "make-hpcrun.py"
    if not maker.is_file():
        return None
    made = folder / name
    run(sys.executable, maker, made, *options, check=True)
    return made


def disjoint(folder, count):
    """Profiles that share few contexts: each from a directory of its own."""
    made = folder / "disjoint.m"
    made.mkdir()
    for i in range(count):
        part = generated(folder, "part", "--profiles", "1", "--nodes", "300", "--traces", "5", "--seed", str(i))
        if not part:
            return None
        for path in part.glob("app-*"):
            path.rename(made / path.name.replace("-000-", f"-{i:03}-"))
        shutil.rmtree(made / "structs", ignore_errors=True)
        (part / "structs").rename(made / "structs")
        shutil.rmtree(part)
    return made


# ---- the same bytes ----

def compare(tally, ranks, folder, source, counts, *options):
    one, many = folder / "one.d", folder / "many.d"
    shutil.rmtree(one, ignore_errors=True)
    alone = assay("convert", source, "--to", "hpcdb", "-o", one, *options)
    for count in counts:
        shutil.rmtree(many, ignore_errors=True)
        together = ranks(count, "convert", source, "--to", "hpcdb", "-o", many, *options)
        label = f"{source.name}, {count} ranks {' '.join(options)}".strip()
        if not tally.check(together.returncode == alone.returncode == 0, f"{label}: it is converted", said(alone), said(together)):
            continue
        tally.equal(same_files(one, many), "", f"{label}: the bytes of one process")
        told = [s.replace(str(many), str(one)) for s in sentences(together)]
        tally.equal(told, sentences(alone), f"{label}: the sentences of one process")


def compare_top(tally, ranks, source, counts, *kinds):
    """Sums of doubles are exact, so that text and JSON are the same to the last digit."""
    for options in kinds:
        alone = assay("top", "--exact", *options, source)
        for count in counts:
            together = ranks(count, "top", "--exact", *options, source)
            label = f"top {' '.join(options)} {source.name}, {count} ranks"
            tally.check(alone.returncode == together.returncode == 0 and alone.stdout == together.stdout, label, said(alone), said(together))


# ---- merging ----

def merge_inputs(folder, everything):
    """Names, files and options of merges: coverage and cost of many formats, sums of doubles, directories, damage, and many small files."""
    def some(*patterns):
        return [p for pattern in patterns for p in sorted(FIXTURES.glob(pattern))]
    yield "coverage", some("*.info", "demo.clo*", "demo.cob*", "demo.cov*", "demo.gcov*", "demo.j*", "demo.llvm*", "demo.info"), ["--to", "assay-json"]
    yield "tests kept apart", some("*.info", "demo.info"), ["--keep-tests"]
    yield "callgrind", some("demo*.callgrind", "demo.callgrind"), []
    yield "call graphs", some("demo.callgrind", "*.nytprof", "demo.perf-script"), ["--to", "assay-json"]
    yield "labels", some("demo.pprof", "demo.speedscope.json", "demo.otlp-profiles", "demo.pprof"), ["--to", "assay-json"]
    yield "trees", some("app.m", "gpu.m", "app.m", "*.hpcrun"), ["--to", "assay-json"]
    yield "one file", some("demo.info"), []
    yield "one with nothing to merge", some("demo.info", "01.00.hpctrace", "demo-2x.info", "demo.hpcstruct"), []
    yield "one that is not there", [*some("demo.info"), folder / "none.info", *some("demo-2x.info")], ["--to", "lcov"]
    yield "a metric in another unit", some("demo.pprof", "demo.folded", "demo.pprof"), ["--to", "assay-json"]
    yield "versions", versions(folder, 5), ["--to", "lcov"]
    yield "versions, strictly", versions(folder, 5), ["--to", "lcov", "--strict"]
    yield "many", many_files(folder, 2000 if everything else 60), []
    ranks = sorted((SHARED / "data" / "hpcrun" / "demo" / "ranks.m").glob("*.hpcrun"))
    if ranks:
        yield "hpcrun", ranks, ["--to", "assay-json"]


def versions(folder, count):
    made = [folder / f"version{i}.info" for i in range(count)]
    for i, path in enumerate(made):
        path.write_text(f"SF:{'./' * (i % 2)}x.c\nVER:{i // 3}\nDA:{i},1\nend_of_record\nSF:y.c\nDA:1,{i},sum{i // 4}\nend_of_record\n")
    return made


def many_files(folder, count):
    """Each has some files and lines in common with others."""
    made = [folder / f"many{i}.info" for i in range(count)]
    for i, path in enumerate(made):
        path.write_text("".join(f"SF:src/{(i * 7 + k) % 40}.c\nFN:{k + 1},f{k}\nFNDA:{i % 3},f{k}\nBRDA:{i % 5 + 1},0,{i % 4},{i % 2}\n"
                                + "".join(f"DA:{line},{(i + line) % 3}\n" for line in range(1, 9 + i % 5)) + "end_of_record\n" for k in range(3)))
    return made


def compare_merge(tally, ranks, folder, label, files, options, counts):
    one, many = folder / "one.out", folder / "many.out"
    if "--to" not in options:
        one, many = folder / f"one{files[0].suffix}", folder / f"many{files[0].suffix}"
    one.unlink(missing_ok=True)
    alone = assay("merge", *files, "-o", one, *options)
    for count in counts:
        many.unlink(missing_ok=True)
        together = ranks(count, "merge", *files, "-o", many, *options)
        name = f"merge: {label}, {count} ranks"
        tally.equal(together.returncode, alone.returncode, f"{name}: as one process ends")
        tally.equal(sentences(together), sentences(alone), f"{name}: the sentences of one process")
        tally.check(one.exists() == many.exists(), f"{name}: there is a file if one process writes one")
        if one.exists() and many.exists():
            tally.check(filecmp.cmp(one, many, shallow=False), f"{name}: the bytes of one process")


def merge_killed(tally, ranks, folder):
    """The second rank waits for bytes that never come, and is killed: nothing is written, and an old file stays."""
    place = folder / "killed"
    place.mkdir()
    out = place / "out.info"
    out.write_text("old")
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    result = ranks(2, "merge", FIXTURES / "demo.info", pipe, "--to", "lcov", "-o", out, under=KILLED)
    tally.check(result.returncode != 0, "merge: a killed rank ends all", said(result))
    tally.check([p.name for p in place.iterdir()] == ["out.info"] and out.read_text() == "old", "merge: a killed rank leaves the old file alone")


def merge_faults(tally, ranks, folder, killer):
    """Rank 0 writes: a full disk is one sentence, and nothing is left."""
    for at in range(1, 30):
        place = folder / "faulty"
        place.mkdir()
        out = place / "out.info"
        fault = {"FAULT_RANK": "0", "FAULT_LIBRARY": killer, "FAIL_AT": str(at), "KILL_UNDER": str(place)}
        result = ranks(2, "merge", FIXTURES / "demo.info", FIXTURES / "demo-2x.info", "-o", out, fault=fault)
        left = sorted(p.name for p in place.iterdir())
        shutil.rmtree(place)
        if result.returncode == 0:
            tally.check(at > 1 and left == ["out.info"], f"merge, FAIL_AT {at}: it is whole", left)
            break
        told = sentences(result)
        tally.check(len([s for s in told if "No space left on device" in s and "out.info" in s]) == 1, f"merge, FAIL_AT {at}: one sentence", said(result))
        tally.check(left == [] or b"sync" in result.stderr, f"merge, FAIL_AT {at}: nothing is left", left)


# ---- what goes wrong ----

def refused(tally, ranks, folder):
    empty, out = folder / "empty.m", folder / "refused.d"
    empty.mkdir()
    strict = folder / "strict.m"
    shutil.copytree(FIXTURES / "app.m", strict, dirs_exist_ok=True)
    victim = sorted(strict.glob("*.hpcrun"))[-1]
    victim.chmod(0o644)
    victim.write_bytes(victim.read_bytes()[:-200])
    text = FIXTURES / "demo.callgrind"
    for label, args, name in (("no such directory", [folder / "none.m"], "none.m"), ("no measurements", [empty], "empty.m"),
                              ("a damaged profile, strictly", [strict, "--strict"], victim.name), ("not a directory", [text], "demo.callgrind")):
        result = ranks(3, "convert", *args, "--to", "hpcdb", "-o", out)
        told = sentences(result)
        tally.check(result.returncode not in (0, None) and len(told) == 1 and name in told[0], f"{label}: one sentence, which names it", said(result))
        tally.check(not list(folder.glob("refused.d*")), f"{label}: nothing is left")
    lenient = ranks(3, "convert", strict, "--to", "hpcdb", "-o", out)
    tally.check(lenient.returncode == 0 and any("damaged" in s for s in sentences(lenient)), "a damaged profile is a loss otherwise", said(lenient))
    for args in (["dump", FIXTURES / "app.m"], ["top", "--stats", FIXTURES / "app.m"], ["top", "--stream", "THREAD 0", FIXTURES / "app.m"], ["top", text],
                 ["merge", text, "-", "--to", "callgrind"]):
        result = ranks(2, *args)
        tally.check(result.returncode != 0 and len(sentences(result)) == 1 and "process" in sentences(result)[0], f"{args[:2]}: refused", said(result))


def vanished(tally, ranks, folder):
    """A profile that cannot be opened costs its own data, on whatever rank; and an existing target is replaced."""
    source = folder / "vanished.m"
    shutil.copytree(FIXTURES / "app.m", source, dirs_exist_ok=True)
    last = sorted(source.glob("*.hpcrun"))[-1]
    (source / ("z" + last.name)).symlink_to("nowhere")
    compare(tally, ranks, folder, source, [2, 3])


def faults(tally, ranks, folder, killer, source, count, everything):
    """Each call of each rank that changes the output fails, and kills, in turn."""
    for kind in ("FAIL_AT", "KILL_AT"):
        for rank in range(count):
            places = range(1, 200) if everything else [1, 6, 12]
            for at in places:
                place = folder / "faulty"
                place.mkdir()
                out = place / "out.d"
                fault = {"FAULT_RANK": str(rank), "FAULT_LIBRARY": killer, kind: str(at), "KILL_UNDER": str(place)}
                result = ranks(count, "convert", source, "--to", "hpcdb", "-o", out, fault=fault)
                left = sorted(p.name for p in place.iterdir())
                if kind == "KILL_AT" and rank == 0 and len(left) == 1 and left[0].startswith("out.d.assay-"):
                    # The others had ended: as after a single process, the next one that writes there takes it away.
                    assay("convert", source, "--to", "hpcdb", "-o", out)
                    left = [name for name in sorted(p.name for p in place.iterdir()) if name != "out.d"]
                shutil.rmtree(place)
                label = f"rank {rank} of {count}, {kind} {at}"
                if result.returncode == 0:
                    tally.check(left == ["out.d"], f"{label}: it is whole", left)
                    break
                # when only the folder around it could not be synced, it is new and whole
                is_late = kind == "FAIL_AT" and b"sync" in result.stderr or kind == "KILL_AT" and left == ["out.d"]
                tally.check(left == [] or is_late and left == ["out.d"], f"{label}: nothing is left", left, said(result))
                if kind == "FAIL_AT":
                    told = sentences(result)
                    tally.check(len(told) == 1 and "No space left on device" in told[0] and "out.d" in told[0], f"{label}: one sentence", said(result))
            else:
                tally.check(not everything, f"rank {rank}, {kind}: there is an end")


def main():
    killer, program, everything = sys.argv[1], sys.argv[2], "all" in sys.argv[3:]
    if not shutil.which("mpirun"):
        print("skipped: no mpirun")
        sys.exit(SKIP)
    tally, ranks = Tally(), Ranks(program)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for i, source in enumerate(directories(folder, everything)):
            compare(tally, ranks, folder, source, [1, 2, 3, 5, 8] if everything else [2 + i % 4])
            if everything:
                compare_top(tally, ranks, source, [2, 3, 8], [], ["--json", "--sort", "total"])
            elif i < 3:
                compare_top(tally, ranks, source, [3], ["--json", "--sort", "total"] if i else [])
            if everything:
                compare(tally, ranks, folder, source, [3], "-M", "stats")
                compare(tally, ranks, folder, source, [3], "-M", "stats", "--compat")
        big = generated(folder, "big.m", "--profiles", "2048" if everything else "60", "--nodes", "60", "--traces", "3")
        for source in filter(None, [big, disjoint(folder, 64 if everything else 6)]):
            compare(tally, ranks, folder, source, [2, 8] if everything else [4], "-M", "stats")
        for i, (label, files, options) in enumerate(merge_inputs(folder, everything)):
            compare_merge(tally, ranks, folder, label, files, options, [1, 2, 3, 5, 8] if everything else [2 + i % 4])
        merge_killed(tally, ranks, folder)
        merge_faults(tally, ranks, folder, killer)
        refused(tally, ranks, folder)
        vanished(tally, ranks, folder)
        faults(tally, ranks, folder, killer, FIXTURES / "app.m", 3 if everything else 2, everything)
    tally.finish()


if __name__ == "__main__":
    main()
