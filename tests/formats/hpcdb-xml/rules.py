#!/usr/bin/env python3
"""Databases of before 2022, made by makedb.py: their figures, what comes of converting them, and every rule of docs/formats/hpcdb-xml.md: a defect
is planted, and check names rule, severity, file and place.

  rules.py [--corpus FOLDER]   with --corpus: writes the fuzz corpus (parts of a directory, each with its length before it) and ends
"""
import gzip
import json
import struct
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from makedb import MATRIX, START, TRACE, XML, dense, merged, sparse  # noqa: E402

DEFECTS = []
FIGURES = {"main": (33, 3333), "inl": (300, 300), "leaf": (3000, 3000)}
PARTS = [XML, *MATRIX, TRACE[0], "experiment-1.mdb", "experiment.mt", "profile.db", "cct.db", "trace.db"]


def defect(rule, severity, make=dense):
    """The function plants the defect and gives the offset that check must name (None = none), and the file when it is not the document."""
    def add(plant):
        DEFECTS.append((rule, severity, make, plant))
        return plant
    return add


def swap(rule, severity, old, new, plus=0, make=dense):
    """One text of the document for another; the place is where it stands, or `plus` bytes further on; None = any."""
    DEFECTS.append((rule, severity, make, lambda db: db.replace(old, new) + plus if plus is not None else db.replace(old, new) and None))


def patch(rule, severity, name, at, data, place=None, make=dense):
    """Bytes of a file beside it; the place is theirs, or another one; "end" = the end of the file."""
    def plant(db):
        offset = at if at >= 0 else len(db.parts[name]) + at
        db.put(name, offset, data)
        return (len(db.parts[name]) if place == "end" else offset if place is None else place), name
    DEFECTS.append((rule, severity, make, plant))


# ---- the document ----

@defect("HX01", "error")
def empty(db):
    db.parts[XML] = bytearray(b" \n")
    return 0


swap("HX02", "error", "</SecHeader>", "<SecHeader>", plus=None)
swap("HX02", "error", 'n="leaf"', 'n="&leaf;"', plus=None)


@defect("HX02", "warning")
def latin1(db):
    text = bytes(db.parts[XML])
    at = text.index(b'n="leaf"') + 6
    db.parts[XML] = bytearray(text[:at] + b"\xe9" + text[at + 1:])
    return at
swap("HX03", "error", '<HPCToolkitExperiment version="2.2">', "<HPCToolkitExperiment>")
swap("HX04", "error", '<HPCToolkitExperiment version="2.2">', '<HPCToolkitExperiment version="5.0">')


@defect("HX04", "error")
def before_2009(db):
    db.parts[XML] = bytearray(b"<CSPROFILE version='1.0'></CSPROFILE>")
    return 0


@defect("HX05", "error")
def no_data(db):
    text = bytes(db.parts[XML])
    at = text.index(b"<SecCallPathProfileData>")
    end = b"</SecCallPathProfileData>\n"
    db.parts = {XML: bytearray(text[:at] + text[text.index(end) + len(end):])}


swap("HX06", "error", '<S i="13"', '<S i="x13"')
swap("HX06", "error", '<S i="13"', '<S i="7"')
swap("HX06", "error", '<C i="3" ', "<C ")
swap("HX07", "error", '<PF i="12" s="40" l="20" lm="2" f="13" n="40">', '<PF i="12" s="40" l="20" lm="2" f="13" n="99">')
swap("HX07", "error", '<PF i="12" s="40" l="20" lm="2" f="13" n="40">', '<PF i="12" s="40" l="20" lm="9" f="13" n="40">')
swap("HX07", "error", '<L i="6" s="34" l="12" f="11">', '<L i="6" s="34" l="12" f="99">')
swap("HX08", "error", '<M n="1" v="3000"/>', '<M n="1" v="3000"/><M n="7" v="1"/>', plus=19)
swap("HX09", "error", '<M n="1" v="3000"/>', '<M n="1" v="3000"/><M n="2" v="1x"/>', plus=19)
swap("HX09", "error", '<M n="1" v="3000"/>', '<M n="1" v="3000"/><M n="2" v="inf"/>', plus=19)
swap("HX10", "error", '<File i="13"', '<File i="12" n="twice"/>\n<File i="13"')
swap("HX10", "error", '<Metric i="2"', '<Metric i="1"')
swap("HX11", "warning", '<S i="13"', '<X/><S i="13"')
swap("HX11", "warning", '<PF i="12"', '<S l="1"/><PF i="12"')
swap("HX12", "warning", '<Metric i="2"', '<Metric partner="9" i="2"')
swap("HX13", "warning", '<MetricFormula t="finalize" frm="$0 / 2"/>', '<MetricFormula t="finalize" frm="$9 / 2"/>')
swap("HX13", "warning", '<MetricFormula t="finalize" frm="$0 / 2"/>', '<MetricFormula t="finalize" frm="#9 / 2"/>')
swap("HX13", "warning", '<MetricFormula t="finalize" frm="$0 / 2"/>', '<MetricFormula t="finalize" frm="($0 / 2"/>')
swap("HX14", "warning", '<PF i="12" s="40" l="20" lm="2" f="13" n="40">\n<M n="0" v="3000"/>', '<PF i="12" s="40" l="20" lm="2" f="13" n="40">\n<M n="0" v="2000"/>')
swap("HX15", "warning", '<S i="13" s="41" l="21" it="113">\n<M n="0" v="3000"/><M n="1" v="3000"/>', '<S i="13" s="41" l="21" it="113">\n<M n="0" v="3000"/><M n="1" v="3001"/>')


@defect("HX16", "info")
def pruned(db):
    text = bytes(db.parts[XML])
    at, end = text.index(b'<S i="13"'), text.index(b"</PF>\n</C>\n</PF>")
    db.parts[XML] = bytearray(text[:at] + text[end:])


swap("HX17", "warning", '<S i="13" s="41" l="21"', '<S i="13" s="41" l="21-20"')
swap("HX18", "warning", "</SecCallPathProfile>\n", '</SecCallPathProfile>\n<SecFlatProfile i="1" n="x"></SecFlatProfile>', plus=22)
swap("HX19", "warning", '<M n="1" v="3000"/>', '<M n="1" v="2"/><M n="1" v="3000"/>', plus=16)
swap("HX44", "warning", 'version="2.2"', 'version="3.0"', plus=None)
swap("HX50", "error", '<S i="13"', '<S i="9999999999"')

# ---- thread files ----

patch("HX20", "error", MATRIX[1], 3, b"x", 0)
patch("HX20", "error", MATRIX[1], 19, b"9", 18)
patch("HX20", "error", MATRIX[1], 23, b"l")
patch("HX21", "error", MATRIX[1], 24, struct.pack(">I", 14), "end")


@defect("HX22", "error")
def other_metrics(db):
    db.parts[MATRIX[1]][24:] = struct.pack(">II", 13, 1) + bytes(13 * 8)
    return 28, MATRIX[1]


@defect("HX23", "error")
def few_nodes(db):
    db.parts[MATRIX[1]][24:28] = struct.pack(">I", 12)
    del db.parts[MATRIX[1]][-16:]
    return 24, MATRIX[1]


@defect("HX23", "warning")
def many_nodes(db):
    db.parts[MATRIX[1]][24:28] = struct.pack(">I", 14)
    db.parts[MATRIX[1]] += bytes(16)
    return 24, MATRIX[1]


@defect("HX25", "warning")
def nameless(db):
    db.parts["thread.metric-db"] = db.parts.pop(MATRIX[1])
    return None, "thread.metric-db"


@defect("HX26", "info")
def no_threads(db):
    for name in MATRIX:
        del db.parts[name]


patch("HX27", "warning", MATRIX[1], 32 + 16 * 4 + 8, struct.pack(">d", -1))


@defect("HX28", "warning")
def thread_missing(db):
    del db.parts[MATRIX[1]]


patch("HX30", "error", "experiment.mt", -1, b"x", place=8 + 32 + 2 * 80, make=merged)
patch("HX30", "error", "experiment-1.mdb", -8, bytes(8), make=merged)
patch("HX31", "error", "experiment.mt", 4, struct.pack(">I", 1 << 30), make=merged)
patch("HX31", "error", "experiment.mt", 8 + 16 + 8, struct.pack(">Q", 1 << 40), make=merged)
patch("HX31", "error", "experiment-1.mdb", 8 + 8, struct.pack(">Q", 1), make=merged)

# ---- traces ----

patch("HX32", "error", TRACE[1], 2, b"x", 0)
patch("HX32", "error", TRACE[1], 80, b"cut", "end")
patch("HX33", "warning", TRACE[1], 32 + 12, struct.pack(">Q", START - 1))
patch("HX34", "info", TRACE[1], 32 + 8, struct.pack(">I", 999), (None,))


@defect("HX35", "info")
def no_traces(db):
    for name in TRACE:
        del db.parts[name]


# ---- 4.0 ----

@defect("HX40", "error", sparse)
def no_profiles(db):
    del db.parts["profile.db"]


patch("HX41", "error", "profile.db", 3, b"x", 0, make=sparse)
patch("HX41", "error", "cct.db", 3, b"x", 0, make=sparse)
patch("HX41", "error", "trace.db", 3, b"x", 0, make=sparse)
patch("HX42", "error", "profile.db", 18, struct.pack(">I", 1 << 20), 32, make=sparse)
patch("HX42", "error", "profile.db", 128 + 52 + 44, struct.pack(">Q", 1 << 40), make=sparse)
patch("HX42", "error", "profile.db", 128 + 52 + 32, struct.pack(">Q", 1 << 60), 128 + 52 + 44, make=sparse)
patch("HX42", "error", "trace.db", 128 + 22 + 14, struct.pack(">Q", 1 << 40), 128 + 22 + 6, make=sparse)


@defect("HX43", "error", sparse)
def no_end(db):
    return db.replace(b"end!", b"xxxx", "profile.db"), "profile.db"


# What a defect brings with it.
CONSEQUENCES = {"HX02": {"HX05", "HX16", "HX23", "HX34"}, "HX05": {"HX26", "HX35"}, "HX06": {"HX23", "HX34"}, "HX10": {"HX12", "HX13"}, "HX11": {"HX06"}, "HX15": {"HX16"},
                "HX16": {"HX23", "HX34"}, "HX22": {"HX28"}, "HX30": {"HX26", "HX35"}, "HX31": {"HX26", "HX35"}, "HX50": {"HX06", "HX23"}}


def planted():
    for rule, severity, make, plant in DEFECTS:
        db = make()
        place = plant(db)
        at, name = place if isinstance(place, tuple) else (place, None)
        yield rule, severity, db, at if not isinstance(at, tuple) else None, name


def check(assay, folder):
    result = assay("check", "--json", folder)
    return result, json.loads(result.stdout)["files"][0]["findings"] if result.stdout else []


def figures(tally, assay, said, path, samples):
    """Total, self and total of each function, contexts and samples: the sums over OWN in makedb.py."""
    name = Path(path).name
    result = assay("info", "--json", path)
    if not tally.check(result.returncode == 0, f"{name}: info", said(result)):
        return
    info = json.loads(result.stdout)["files"][0]
    tally.equal([(m["name"], m["total"]) for m in info["metrics"]], [("TIME (usec)", 3333)], f"{name}: metrics")
    tally.equal([info["counts"].get(c) for c in ("streams", "samples")], [2, samples], f"{name}: streams and samples")
    rows = json.loads(assay("top", "--json", path).stdout)["rows"]
    tally.equal({r["name"]: (r["self"]["TIME (usec)"], r["total"]["TIME (usec)"]) for r in rows if r["total"]["TIME (usec)"]}, FIGURES, f"{name}: functions")
    shown = json.loads(assay("tree", "--json", "--limit", "100", "--min", "0", path).stdout)["rows"]
    tally.check(any(r["kind"] == "loop" for r in shown), f"{name}: the loop is there", shown)
    one = json.loads(assay("top", "--json", "--stream", "THREAD=1", path).stdout)["rows"]
    tally.equal({r["name"]: r["self"]["TIME (usec)"] for r in one if r["self"]["TIME (usec)"]}, {"main": 22, "inl": 200, "leaf": 2000}, f"{name}: the second thread")


def sound(tally, assay, said, tmp):
    for make, samples in ((dense, 8), (merged, 8), (sparse, 8)):
        folder = tmp / make.__name__
        make().write(folder)
        result, found = check(assay, folder)
        tally.equal([f["rule"] for f in found], [], f"{make.__name__}: nothing is found")
        figures(tally, assay, said, folder, samples)
        target = tmp / f"{make.__name__}-today"
        result = assay("convert", folder, "--to", "hpcdb", "-o", target)
        if not tally.check(result.returncode == 0, f"{make.__name__}: convert to hpcdb", said(result)):
            continue
        figures(tally, assay, said, target, samples)
        result, found = check(assay, target)
        tally.equal([f["rule"] for f in found if f["severity"] != "info"], [], f"{make.__name__}: what was written is sound")
    alone = tmp / "dense" / XML
    compressed = tmp / "compressed"
    compressed.mkdir()
    (compressed / (XML + ".gz")).write_bytes(gzip.compress(alone.read_bytes()))
    for path in (alone, compressed):
        rows = json.loads(assay("top", "--json", path).stdout)["rows"]
        tally.equal({r["name"]: r["self"]["TIME (usec)"] for r in rows if r["self"]["TIME (usec)"]}, {n: f[0] for n, f in FIGURES.items()}, f"{path.name}: functions")
    db = dense()
    latin1(db)
    db.write(tmp / "latin1")
    rows = json.loads(assay("top", "--json", tmp / "latin1").stdout)["rows"]
    tally.check(any(r["name"] == "lea\u00e9" for r in rows), "Latin-1 without a declaration: the name", [r["name"] for r in rows])
    beside = tmp / "beside"
    beside.mkdir()
    (beside / MATRIX[0]).write_bytes(bytes(dense().parts[MATRIX[0]]))
    result = assay("info", beside / MATRIX[0])
    tally.check(result.returncode == 3 and b"experiment.xml" in result.stderr, "a thread file alone: says where it belongs", said(result))


def run_all():
    from support import SOURCE, Tally, assay, said

    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        tmp = Path(tmp)
        sound(tally, assay, said, tmp)
        for n, (rule, severity, db, at, name) in enumerate(planted()):
            folder = tmp / str(n)
            db.write(folder)
            result, found = check(assay, folder)
            hits = [f for f in found if f["rule"] == rule and f["severity"] == severity and (at is None or f.get("offset") == at) and (not name or f["message"].startswith(name))]
            tally.check(hits, f"{rule} at {at} {name or ''}", *[f"{f['rule']} {f['severity']} {f.get('offset')} {f['message']}" for f in found[:8]], said(result))
            others = {f["rule"] for f in found} - {rule} - CONSEQUENCES.get(rule, set())
            tally.equal(others, set(), f"{rule} at {at}: nothing else is found")
            tally.equal(result.returncode, 1 if any(f["severity"] == "error" for f in found) else 0, f"{rule}: exit code")
            strict = assay("top", "--strict", folder)
            tally.check((strict.returncode != 0) == any(f["severity"] == "error" for f in found), f"{rule}: strict reading agrees", said(strict))
            for verb in ("info", "top", "dump"):
                tally.check(assay(verb, folder).returncode in (0, 3), f"{rule}: {verb} survives")
    page = (SOURCE / "docs" / "formats" / "hpcdb-xml.md").read_text(encoding="utf-8")
    known = {line.split("|")[1].strip() for line in page.split("\n") if line.startswith("| HX")}
    tally.equal(sorted(known ^ {rule for rule, *_ in DEFECTS}), [], "every rule of the page has a planted defect")
    tally.finish()


def pack(db):
    return b"".join(struct.pack("<I", len(db.parts.get(n, b""))) + bytes(db.parts.get(n, b"")) for n in PARTS)


def write_corpus(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for make in (dense, merged, sparse):
        (folder / make.__name__).write_bytes(pack(make()))
    (folder / "alone").write_bytes(bytes(dense().parts[XML]))
    kept = {"HX02", "HX06", "HX07", "HX11", "HX19", "HX21", "HX23", "HX31", "HX32", "HX42", "HX43"}
    for rule, _, db, _, _ in planted():
        if rule in kept:
            (folder / rule).write_bytes(pack(db))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--corpus"]:
        write_corpus(sys.argv[2])
    else:
        run_all()
