#!/usr/bin/env python3
"""HPCToolkit's own comparison of databases, its test `db-compare`, on what `convert --compat` makes of measurements and on what hpcprof made of them:
every pair in HPCToolkit's test data, and those of the shared data.

Needs a work tree of HPCToolkit (2024 or later; src/hpctesttool and tests/data are looked at) named by ASSAY_HPCTOOLKIT, and Debian's
python3-ruamel.yaml and python3-pyparsing; without them it is skipped.

The order of hpcprof's profiles, and with it logical numbers of nodes and (a fault of its own) minima, is that in which its threads finished.
`in_order` gives the files of measurements names that make assay take them in the order of the database they are compared with."""
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, SKIP, Tally, assay, has_shared, said  # noqa: E402

CHECKOUT = Path(os.environ.get("ASSAY_HPCTOOLKIT") or "/nonexistent")
NAME = re.compile(r"^(.*)-(\d{6})-(\d{3})-([0-9a-f]{8})-(\d+)-(\d+)\.(hpcrun|hpctrace)$")


def compare(ours, theirs):
    """What is different, as db-compare prints it; empty = it passes."""
    from hpctesttool.formats import from_path
    from hpctesttool.formats.diff.strict import StrictAccuracy, StrictDiff
    diff = StrictDiff(from_path(ours), from_path(theirs))
    accuracy = StrictAccuracy(diff)
    if not diff.hunks and not accuracy.inaccuracy:
        return ""
    text = io.StringIO()
    diff.render(text)
    accuracy.render(text)
    return text.getvalue()


def threads(database):
    """Id tuples of its profiles, in their order, without the numbers that depend on the order."""
    text = assay("dump", database).stdout.decode()
    tuples = []
    for number, kind, flags, logical, physical in re.findall(r"Id\[(\d+)\] kind=(\d+) flags=(\S+) logicalId=(\d+) physicalId=(\S+)", text):
        if number == "0":
            tuples.append([])
        tuples[-1].append((int(kind), int(physical, 0) if int(flags, 0) else int(logical)))
    return tuples


def in_order(source, reference, folder, *options):
    """A copy of the measurements whose files are named in the order of the profiles of `reference`."""
    plain = folder / "plain.d"
    files = sorted((m for m in (NAME.match(f.name) for f in source.iterdir()) if m), key=lambda m: (int(m[2]), int(m[3]), m[4], int(m[5]), m[0]))
    stems = [m for m in files if m[7] == "hpcrun"]
    assay("convert", source, "--to", "hpcdb", "-o", plain, "--foreign", *options)
    ours, theirs = threads(plain), threads(reference)
    target = folder / "ordered.m"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    for m in files:
        place = theirs.index(ours[[s.groups()[:6] for s in stems].index(m.groups()[:6])])
        (target / m[0]).rename(target / f"moved-{m[1]}-{place:06d}-{m[3]}-{m[4]}-{m[5]}-{m[6]}.{m[7]}")
    return target


def judge(tally, label, source, reference, folder, *options):
    target = folder / "ours.d"
    result = assay("convert", source, "--to", "hpcdb", "-o", target, "--compat", "--no-loops", *options)
    if tally.check(result.returncode == 0, f"{label}: converts", said(result)):
        difference = compare(target, reference)
        tally.check(not difference, f"{label}: db-compare", difference)


def public_pairs(tally, folder):
    data = CHECKOUT / "tests" / "data"
    for reference in sorted((data / "dbase").glob("*.d")):
        name, _, variant = reference.name[:-len(".d")].partition(".")
        options = ["--no-structs"] if variant == "nostruct" else []
        judge(tally, f"HPCToolkit's {reference.name}", data / "meas" / f"{name}.m", reference, folder, "--foreign", *options)


def shared_pairs(tally, folder):
    data = SHARED / "data" / "hpcrun"
    for archive in sorted((data / "meas").glob("*.tar.gz")):
        with tarfile.open(archive) as tar:
            tar.extractall(folder)
        name = archive.name[:-len(".tar.gz")]
        judge(tally, name, folder / f"{name}.m", folder / f"{name}.d", folder, "--foreign")
        stats = folder / f"{name}.stats.d"
        if stats.is_dir():
            judge(tally, f"{name} -M", in_order(folder / f"{name}.m", stats, folder), stats, folder, "--foreign", "-M", "stats")
    demo = data / "demo"
    sources = ["-R", f"/tmp/demo/hpcdemo={demo}", "--copy-sources"]
    judge(tally, "demo by DWARF", demo / "demo.m", demo / "demo.d", folder, *sources)
    judge(tally, "demo by structure file", demo / "demo-struct.m", demo / "demo-struct.d", folder, "--foreign", *sources)
    for reference, options in ((demo / "ranks.d", []), (demo / "ranks-stats.d", ["-M", "stats"])):
        judge(tally, reference.name, in_order(demo / "ranks.m", reference, folder), reference, folder, "--foreign", *sources, *options)


def main():
    sys.path.insert(0, str(CHECKOUT / "src" / "hpctesttool"))
    try:
        import hpctesttool.formats.diff.strict  # noqa: F401
    except ImportError as why:
        # Debian's modules are those of Debian's python
        if sys.executable != "/usr/bin/python3" and Path("/usr/bin/python3").exists() and CHECKOUT.is_dir():
            sys.exit(subprocess.run(["/usr/bin/python3", __file__], check=False).returncode)
        print(f"skipped: no HPCToolkit to compare with: {why}")
        sys.exit(SKIP)
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        public_pairs(tally, Path(tmp))
        if has_shared():
            shared_pairs(tally, Path(tmp))
    tally.finish()


if __name__ == "__main__":
    main()
