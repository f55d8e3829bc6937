#!/usr/bin/env python3
"""Databases that assay writes against those that the original made of the same measurements, by content; real databases read and written
again; the same bytes every time; a conversion that is interrupted leaves nothing behind."""
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
try:
    import yaml
except ImportError:
    yaml = None
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hpcrun"))
import measurements as make  # noqa: E402
from support import ASSAY, SHARED, Tally, assay, run, said  # noqa: E402

COMPARE = SHARED / "tools" / "compare-hpcdb.py"
MEASURED = SHARED / "data" / "hpcrun"
DATABASES = SHARED / "data" / "hpcdb"
# Recursion inside a GPU kernel: hpcprof does not know all ways into it (docs/formats/hpcdb.md); equal with --compat.
OTHER_PATHS = {"recursion-cuda-nvidiapc-t"}
# Of these the model does not keep everything; docs/formats/hpcdb.md says what. Two are no whole databases.
NOT_KEPT = {"gen-future", "lmp-openmp", "issue-233.1", "issue-233.2", "issue-233.3"}


def convert(source, target, *more):
    return assay("convert", *more, source, "--to", "hpcdb", "-o", target, timeout=120)


def content(folder):
    """All bytes of a database by name."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def compare(tally, label, reference, target, *more):
    result = run(sys.executable, COMPARE, reference, target, "-v", *more)
    tally.check(result.returncode == 0 and result.stdout.endswith(b"equal\n"), f"{label}: same content", result.stdout.decode("utf-8", "replace"), said(result))
    result = assay("check", "--deep", target, timeout=120)
    tally.check(result.returncode in (0, 1) and b" error " not in result.stdout, f"{label}: check --deep finds no error", said(result), result.stdout.decode())
    return result


def columns(folder):
    """The roots of default.yaml, every alias replaced by what it stands for."""
    def plain(x):
        if isinstance(x, dict):
            return {str(k): plain(v) for k, v in x.items()}
        return [plain(v) for v in x] if isinstance(x, list) else x
    return plain(yaml.safe_load((folder / "metrics" / "default.yaml").read_text(encoding="utf-8"))["roots"])


def measurements(folder):
    """(name, measurements, the original's database of them)"""
    for archive in sorted((MEASURED / "meas").glob("*.tar.gz")):
        name = archive.name[:-len(".tar.gz")]
        with tarfile.open(archive) as tar:
            tar.extractall(folder)
        yield name, folder / f"{name}.m", folder / f"{name}.d"
    for name in ("demo-struct", "ranks"):
        yield name, MEASURED / "demo" / f"{name}.m", MEASURED / "demo" / f"{name}.d"


def same_as_original(tally, label, source, reference, target, *options):
    """With --compat there is nothing left to forgive."""
    result = convert(source, target, "--foreign", "--no-loops", "--compat", *options)
    if tally.check(result.returncode == 0, f"{label}: converts", said(result)):
        compare(tally, f"{label} --compat", reference, target)


def statistics(tally, label, source, reference, target):
    """Minima of hpcprof depend on the order of its profiles, which differs from run to run; everything else is the same."""
    result = convert(source, target, "--foreign", "-M", "stats")
    if not tally.check(result.returncode == 0, f"{label}: converts with statistics", said(result)):
        return
    result = run(sys.executable, COMPARE, reference, target, "-v", "--known")
    others = [line for line in result.stdout.decode("utf-8", "replace").splitlines() if line.startswith("    ") and "'$$', 'min')" not in line]
    tally.check(not others and b"summary" in result.stdout or result.stdout == b"equal\n", f"{label}: the same statistics", *others)
    if yaml:
        tally.equal(columns(target), columns(reference), f"{label}: the same columns of statistics")
    result = assay("check", "--deep", target)
    tally.check(result.returncode == 0, f"{label}: check --deep", result.stdout.decode())


def minima(tally, folder):
    """Where threads have a metric but nothing in one scope, 0 is the minimum; hpcprof's way with --compat is equal in the order of its profiles."""
    for name, source, reference in measurements(folder):
        stats = folder / f"{name}.stats.d" if name != "ranks" else MEASURED / "demo" / "ranks-stats.d"
        if not stats.is_dir():
            continue
        statistics(tally, name, source, stats, folder / "stats")
        # its profiles are in another order
        if name != "loops-cputime-t":
            same_as_original(tally, f"{name} -M", source, stats, folder / "stats", "-M", "stats")


def options(tally, folder):
    """What is left out, and what must not matter."""
    source, target = folder / "synth.m", folder / "ours"
    for label, database, name in (("small", "small-nostruct", "small"), ("loops-cuda", "loops-cuda-nostruct", "loops-cuda-nvidia-t")):
        with tarfile.open(DATABASES / f"{database}.tar.gz") as tar:
            tar.extractall(folder / "nostruct")
        same_as_original(tally, f"{label} without structure files", folder / f"{name}.m", folder / "nostruct" / database, target, "--no-structs")
    result = convert(source, target, "--foreign", "--no-traces", "--name", "A title", "--exclude-exe", "other")
    tally.check(result.returncode == 0 and not (target / "trace.db").exists(), "--no-traces: no trace.db", said(result))
    tally.check(b"\0A title\0" in (target / "meta.db").read_bytes(), "--name: the title")
    for which, partials in (("none", {"$$"}), ("sum", {"$$"}), ("normal", {"1", "$$", "($$^2)"}), ("extrema", {"$$"}), ("stats", {"1", "$$", "($$^2)"})):
        result = convert(source, target, "--foreign", "-M", which)
        text = (target / "metrics" / "default.yaml").read_text()
        tally.equal({x for x in ("1", "$$", "($$^2)") if f"formula: {x}\n" in text}, partials, f"-M {which}: what it is made of")
        tally.equal([x in text for x in ("Sum:", "Mean:", "StdDev:", "Min:", "Max:")],
                    [True, which in ("normal", "stats"), which in ("normal", "stats"), which in ("extrema", "stats"), which in ("extrema", "stats")], f"-M {which}: columns")
    result = convert(source, target, "--only-exe", "other")
    tally.check(result.returncode == 3 and b"program" in result.stderr, "--only-exe: nothing is left", said(result))


def budget(tally, folder):
    """Windows of a few kilobytes for each profile give what large ones give, and several threads what one gives."""
    run(sys.executable, SHARED / "bench" / "make-hpcrun.py", folder / "many.m", "--profiles", "40", "--nodes", "400", "--metrics", "3", "--traces", "5")
    for compat in ((), ("--compat",)):
        for name, more in (("one", ("-j", "1")), ("small", ("--memory", "1M", "-j", "1")), ("two", ("-j", "2")), ("many", ("-j", "5", "--memory", "1M"))):
            result = convert(folder / "many.m", folder / name, "--foreign", "-M", "stats", *more, *compat)
            tally.check(result.returncode == 0, f"40 profiles {more}", said(result))
            tally.check(content(folder / "one") == content(folder / name), f"{more} {compat}: the same bytes")


def sources(tally, folder):
    """Copied below src as hpcprof does, wherever their paths lead; never outside of the database."""
    demo, target = MEASURED / "demo", folder / "ours"
    result = convert(demo / "demo.m", target, "--foreign", "--copy-sources", "-R", f"/tmp/demo/hpcdemo={demo}")
    tally.check(result.returncode == 0, "--copy-sources", said(result))
    copies = lambda path: {k: v for k, v in content(path).items() if k.startswith("src/")}  # noqa: E731
    tally.equal(copies(target), copies(demo / "demo.d"), "the same sources")
    again = convert(target, folder / "again", "--copy-sources", "-R", f"/={target}/src")
    tally.check(again.returncode == 0 and copies(folder / "again") == copies(target), "a database with sources, copied", said(again))
    again = convert(target, folder / "again")
    tally.check(again.returncode == 0 and b"loss: sources" in again.stderr, "sources that are not copied are named", said(again))
    (folder / "outside.c").write_text("secret")
    (folder / "given" / "x").mkdir(parents=True)
    evil = "/opt/x/../../outside.c"
    crooked = make.write_all(folder / "crooked.m", [make.Profile()], make.STRUCTURE.replace("/opt/app/src/main.c", evil))
    for more, expected in (("--foreign",), []), ((), ["src/outside.c"]):
        result = convert(crooked, target, *more, "--copy-sources", "-R", f"/opt={folder}/given")
        found = list(copies(target))
        tally.check(result.returncode == 0 and found == expected, f"a path with .. {more}", said(result), found)
    tally.equal(sorted(p.name for p in folder.iterdir() if p.name.startswith("outside")), ["outside.c"], "nothing beside the database")


def from_dwarf(tally, folder):
    demo = MEASURED / "demo"
    same_as_original(tally, "demo by DWARF", demo / "demo.m", demo / "demo.d", folder / "ours", "-R", f"/tmp/demo/hpcdemo={demo}")


def from_measurements(tally, folder):
    for name, source, reference in measurements(folder):
        target, again = folder / "ours", folder / "again"
        same_as_original(tally, name, source, reference, target)
        result = convert(source, target, "--foreign")
        if not tally.check(result.returncode == 0, f"{name}: converts", said(result)):
            continue
        if name not in OTHER_PATHS:
            compare(tally, name, reference, target, "--known")
        if yaml:
            tally.equal(columns(target), columns(reference), f"{name}: the same columns")
        convert(source, again, "--foreign")
        tally.check(content(target) == content(again), f"{name}: the same bytes again")
        shutil.rmtree(again)


def from_databases(tally, folder):
    for archive in sorted(DATABASES.glob("*.tar.gz")):
        name = archive.name[:-len(".tar.gz")]
        if name in NOT_KEPT or name.startswith(("bad-", "draft-")):
            continue
        with tarfile.open(archive) as tar:
            tar.extractall(folder / name)
        source, target = next((folder / name).rglob("meta.db")).parent, folder / f"{name}.again"
        result = convert(source, target)
        if tally.check(result.returncode == 0, f"{name}: converts", said(result)):
            compare(tally, name, source, target)


def interrupted(tally, folder):
    """The signal comes while the temporary folder is there."""
    source = next(iter(measurements(folder)))[1]
    for how in (signal.SIGINT, signal.SIGTERM):
        with tempfile.TemporaryDirectory() as empty:
            process = subprocess.Popen([ASSAY, "convert", "--foreign", str(source), "--to", "hpcdb", "-o", f"{empty}/target"], stderr=subprocess.DEVNULL)
            while process.poll() is None and not os.listdir(empty):
                time.sleep(0.001)
            process.send_signal(how)
            status = process.wait(timeout=60)
            left = os.listdir(empty)
            tally.check(left == ["target"] or (left == [] and status != 0), f"signal {how}: the whole or nothing", left, status)


def main():
    tally = Tally()
    if not COMPARE.exists() or not (MEASURED / "meas").is_dir():
        tally.skip("written databases", f"no shared data in {SHARED}")
        tally.finish()
    with tempfile.TemporaryDirectory() as tmp:
        from_measurements(tally, Path(tmp))
        minima(tally, Path(tmp))
        from_dwarf(tally, Path(tmp))
        options(tally, Path(tmp))
        sources(tally, Path(tmp))
        budget(tally, Path(tmp))
        interrupted(tally, Path(tmp))
        if DATABASES.is_dir():
            from_databases(tally, Path(tmp))
    tally.finish()


if __name__ == "__main__":
    main()
