"""Twenty ways to damage a file or to make it hostile, for each format those of them that it can have; see robustness.py.

The undamaged files are those of tests/data, which the real tools recorded, and small databases put together from the tables of their formats.
"""
import gzip
import json
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[1:1] = [str(TESTS), str(TESTS / "formats" / "hpcrun"), str(TESTS / "formats" / "hpcdb-xml")]
import make as hpcrun  # noqa: E402
import makedb  # noqa: E402
from support import FIXTURES, assay  # noqa: E402

KINDS = {
    "cut": "cut off in the middle of a record",
    "end": "the end mark is missing",
    "empty": "no bytes at all",
    "foreign": "text in place of binary data, or binary data in place of text",
    "version": "a version that does not exist",
    "flip": "one bit of a figure flipped",
    "overflow": "a figure of 26 digits, or one past the largest that the field should hold",
    "negative": "a negative figure",
    "word": "a word in place of a figure",
    "count": "a count of records that the file cannot hold",
    "offset": "an offset past the end",
    "bomb": "a few MB or less that expand to 3 GB",
    "stream": "a byte changed inside the compressed data",
    "depth": "elements nested 100,000 deep",
    "cycle": "a record that refers to itself",
    "dangling": "a reference to a record that is not there",
    "twice": "a record that is there twice",
    "long": "a name of 32 MB",
    "escapes": "terminal escapes in a name",
    "outside": "a name that leads out of the folder (`../..`)",
}
NOISE = bytes(i * 167 % 256 for i in range(4096))
LONG = b"A" * (32 << 20)
ESCAPES = b"\x1b[2J\x1b]0;owned\x07"
FAR = "9" * 26


def change(old, new):
    """A damage: the first `old` becomes `new`."""
    def damage(data):
        assert old in data, old
        return data.replace(old, new, 1)
    return damage


def put(at, fmt, *values):
    def damage(data):
        return data[:at] + struct.pack(fmt, *values) + data[at + struct.calcsize(fmt):]
    return damage


def cut(share=0.5):
    return lambda data: data[:int(len(data) * share)]


COMMON = {"empty": lambda data: b"", "foreign": lambda data: NOISE}


def gzip_bomb(begin):
    """One name of 3 GB; as members of 16 MB, which readers take for one stream."""
    member = gzip.compress(b"A" * (16 << 20), 6, mtime=0)
    return gzip.compress(begin, 6, mtime=0) + member * 192


# ---- Xdebug's text, and what webgrind's preprocessor makes of it ----

COST = b"\n34 398 216\n"
XDEBUG = {
    **COMMON,
    "cut": lambda data: data[:data.index(COST) + 6],
    "version": change(b"version: 1\n", b"version: 999\n"),
    "overflow": change(COST, b"\n34 " + FAR.encode() + b" 216\n"),
    "negative": change(COST, b"\n34 -398 216\n"),
    "word": change(COST, b"\n34 many 216\n"),
    "bomb": lambda data: gzip_bomb(gzip.decompress(data) + b"\nfl=(2)\nfn=(4711) "),
    "stream": lambda data: put(len(data) // 2, "4s", b"\xff\x00\xff\x00")(data),
    "dangling": change(b"fn=(1)\n", b"fn=(4711)\n"),
    "long": change(b"fn=(1) Basket->add", b"fn=(1) " + LONG),
    "escapes": change(b"fn=(1) Basket->add", b"fn=(1) " + ESCAPES),
}


def record_of(data, number):
    return struct.unpack_from("<I", data, 12 + 4 * number)[0]


WEBGRIND = {
    **COMMON,
    "cut": cut(),
    "version": put(0, "<I", 8),
    "flip": lambda data: put(record_of(data, 1) + 12, "<I", struct.unpack_from("<I", data, record_of(data, 1) + 12)[0] ^ 1 << 20)(data),
    "count": put(8, "<I", 0x3FFFFFFF),
    "offset": put(12, "<I", 0xFFFFFFF0),
    "dangling": lambda data: put(record_of(data, 1) + 24, "<I", 4711)(data),
    "escapes": change(b"Basket->add\n", b"\x1b[2JBasket>\n"),
}

# ---- NYTProf ----

FILE = b"@\x01\x00\x002\x00\x00'\x11/tmp/demo/demo.pl"
SUB = b"'\x0dmain::counter"


def nytprof_bomb(data):
    """A string of 3 GB in the compressed part; its checksum is never reached."""
    at = data.index(b"\nz") + 2
    parts = zlib.compressobj(9)
    begin = parts.compress(b"@\x01\x00\x002\x00\x00'\xff\xc0\x00\x00\x00") + parts.flush(zlib.Z_FULL_FLUSH)
    block = parts.compress(bytes(b"A") * (16 << 20)) + parts.flush(zlib.Z_FULL_FLUSH)
    return data[:at] + begin + block * 192


NYTPROF = {
    **COMMON,
    "foreign": lambda data: b"this is no profile\n" * 50,
    "cut": lambda data: data[:1200],
    "end": lambda data: data[:-11],
    "version": change(b"NYTProf 5 0", b"NYTProf 9 0"),
    "overflow": change(b":ticks_per_sec=10000000", b":ticks_per_sec=" + FAR.encode()),
    "word": change(b":ticks_per_sec=10000000", b":ticks_per_sec=many"),
    "count": change(FILE, b"@\x01\x00\x002\x00\x00'\xff\x7f\xff\xff\xff"),
    "bomb": nytprof_bomb,
    "stream": lambda data: put(data.index(b"\nz") + 200, "4s", b"\xff\x00\xff\x00")(data),
    "cycle": change(FILE, b"@\x01\x01\x07" + FILE[4:]),
    "dangling": change(b"+\x0f\x01\x11", b"+\x0f\x63\x11"),
    "long": change(SUB, b"'" + b"\xff" + struct.pack(">I", len(LONG)) + LONG),
    "escapes": lambda data: data.replace(SUB, b"'" + bytes([len(ESCAPES)]) + ESCAPES),
    "outside": change(FILE, FILE[:9] + b"../../../outside."),
}

# ---- lcov ----

def lcov_base(folder, name):
    data = fixture(folder, "demo.info")
    return gzip.compress(data, mtime=0) if name.endswith(".gz") else data


LCOV = {
    **COMMON,
    "cut": lambda data: data[:data.index(b"DA:20,0") + 5],
    "end": lambda data: data[:data.rindex(b"end_of_record")],
    "overflow": change(b"DA:5,4", b"DA:5," + FAR.encode()),
    "negative": change(b"DA:5,4", b"DA:5,-4"),
    "word": change(b"DA:5,4", b"DA:5,many"),
    "bomb": lambda data: gzip_bomb(gzip.decompress(data) + b"TN:\nSF:"),
    "twice": change(b"DA:5,4\n", b"DA:5,4\nDA:5,4\n"),
    "long": lambda data: data.replace(b"SF:src/demo.c", b"SF:src/" + LONG),
    "escapes": lambda data: data.replace(b"SF:src/demo.c", b"SF:src/" + ESCAPES),
    "outside": lambda data: data.replace(b"SF:src/demo.c", b"SF:../../../outside.c"),
}

# ---- gcovr's JSON (0.3, as gcovr 5.2 writes it) ----


def gcovr_line(number, count):
    return {"branches": [], "count": count, "gcovr/excluded": False, "gcovr/noncode": False, "line_number": number}


def gcovr_base():
    lines = [gcovr_line(3, 4), {**gcovr_line(5, 4), "branches": [{"count": 3, "fallthrough": True, "throw": False}, {"count": 1, "fallthrough": False, "throw": False}]},
             gcovr_line(6, 3), gcovr_line(20, 0), gcovr_line(21, 0)]
    functions = [{"execution_count": 4, "lineno": 3, "name": "parse"}, {"execution_count": 0, "lineno": 20, "name": "walk"}]
    return json.dumps({"files": [{"file": "src/demo.c", "functions": functions, "lines": lines}], "gcovr/format_version": "0.3"}).encode()


LINE = b'"count": 3, "gcovr/excluded": false, "gcovr/noncode": false, "line_number": 6}'
GCOVR = {
    **COMMON,
    "cut": cut(),
    "version": change(b'"0.3"', b'"77"'),
    "overflow": change(LINE, LINE.replace(b"3", FAR.encode(), 1)),
    "negative": change(LINE, LINE.replace(b"3", b"-3", 1)),
    "word": change(LINE, LINE.replace(b"3", b'"many"', 1)),
    "depth": change(b'"branches": []', b'"branches": ' + b"[" * 100000 + b"]" * 100000),
    "twice": change(LINE, LINE + b', {"branches": [], ' + LINE),
    "long": lambda data: data.replace(b"demo.c", LONG),
    "escapes": change(b"demo.c", ESCAPES.replace(b"\x1b", b"\\u001b").replace(b"\x07", b"\\u0007")),
}

# ---- cov: an object of a store ----


def inside(damage):
    return lambda data: zlib.compress(damage(zlib.decompress(data)), 1)


def cov_bomb(data):
    """Lines whose count says 3 GB, and as many bytes."""
    parts = zlib.compressobj(9)
    begin = parts.compress(zlib.decompress(data)[:8] + struct.pack("<I", 3 << 28)) + parts.flush(zlib.Z_FULL_FLUSH)
    return begin + (parts.compress(b"\1\0\0\0" * (4 << 20)) + parts.flush(zlib.Z_FULL_FLUSH)) * 192


# kind -> (which object, damage)
COV = {
    "cut": ("lines", cut(0.7)),
    "empty": ("lines", COMMON["empty"]),
    "foreign": ("lines", COMMON["foreign"]),
    "version": ("files", inside(put(4, "<I", 0x90000))),
    "flip": ("lines", inside(put(12, "<I", 4 ^ 1 << 20))),
    "count": ("files", inside(put(24, "<I", 0x0FFFFFFF))),
    "offset": ("files", inside(put(16, "<I", 0x0FFFFFF0))),
    "bomb": ("lines", cov_bomb),
    "stream": ("lines", lambda data: data[:-6] + bytes([data[-6] ^ 0x10]) + data[-5:]),
    "dangling": ("lines", None),
}


def cov_store(folder):
    """A repository with a store, its report, and the objects by kind."""
    top = folder / "repository"
    top.mkdir()
    source = top / "demo.c"
    source.write_text("".join(f"line {i};\n" for i in range(1, 31)))
    git = ["git", "-C", str(top), "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "demo.c"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    info = folder / "coverage.info"
    info.write_text("TN:\nSF:demo.c\n" + "".join(f"DA:{i},{i % 7}\n" for i in range(2, 29)) + "end_of_record\n")
    for words in (["init"], ["import", info]):
        assay("cov", "-C", top, *words, check=True)
    objects = {}
    for path in sorted((top / ".git/.covdata/objects/coverage").glob("??/*")):
        magic = zlib.decompress(path.read_bytes())[:4]
        objects[{b"rprt": "report", b"bld ": "build", b"list": "files", b"lnes": "lines", b"fnct": "functions"}[magic]] = path
    return top, objects


def cov_damaged(folder, kind, damaged):
    top, objects = cov_store(folder)
    if damaged:
        which, damage = COV[kind]
        path = objects[which]
        data = path.read_bytes()
        path.chmod(0o644)
        path.unlink()
        if damage:
            path.write_bytes(damage(data))
    return top


# ---- HPCToolkit: a folder of measurements; a database ----

def hpcrun_at(mark, more=0):
    return dict(hpcrun.sections().marks)[mark] + more


def hpcrun_cases():
    nodes = hpcrun_at("nodes")
    name = b"/opt/app/bin/app"  # its length must stay
    return {
        **COMMON,
        "foreign": lambda data: b"this is no profile\n" * 50,
        "cut": lambda data: data[:hpcrun_at("sparse", 20)],
        "end": lambda data: data[:hpcrun_at("footer")],
        "version": change(b"04.00b", b"09.00b"),
        "flip": lambda data: put(hpcrun_at("values"), ">Q", struct.unpack_from(">Q", data, hpcrun_at("values"))[0] ^ 1 << 40)(data),
        "count": put(nodes, ">Q", 0x0FFFFFFFFFFFFFFF),
        "offset": put(hpcrun_at("footer", 16), ">Q", 0x7FFFFFFFFFFF0000),
        "cycle": put(hpcrun_at("node 18", 4), ">I", 18),
        "dangling": put(hpcrun_at("node 20", 8), ">H", 4711),
        "twice": put(hpcrun_at("node 22"), ">I", 20),
        "escapes": change(name, b"/opt/\x1b[2J/bin/ap"),
    }


def hpcrun_damaged(folder, kind, damaged):
    top = folder / "app.m"
    top.mkdir()
    data = bytes(hpcrun.sections().out)
    (top / "app-000003-001-007f0101-1234-0.hpcrun").write_bytes(hpcrun_cases()[kind](data) if damaged else data)
    return top


STATEMENT = b'<S i="13"'
XML = {
    **COMMON,
    "cut": cut(),
    "version": change(b'version="2.2"', b'version="77.0"'),
    "overflow": change(b'n="0" v="', b'n="0" v="' + FAR.encode()),
    "negative": change(b'n="0" v="', b'n="0" v="-'),
    "word": change(b'n="0" v="', b'n="0" v="many'),
    "bomb": lambda data: data.replace(b"?>\n", b"?>\n<!DOCTYPE x [<!ENTITY a \"" + b"A" * 100 + b"\">" + b"".join(
        b'<!ENTITY %c "%s">' % (c, b"&%c;" % (c - 1) * 20) for c in range(ord("b"), ord("i"))) + b"]>\n", 1).replace(b'<Header n="app"', b'<Header n="&h;"', 1),
    "depth": lambda data: data.replace(STATEMENT, b"".join(b'<C i="%d" s="39" l="15" v="0x1"><PF i="%d" s="40" l="20" lm="2" f="13" n="40">' % (i, i + 1) for i in range(
        100, 100100, 2)) + STATEMENT, 1).replace(b"</PF>", b"</PF></C>" * 50000 + b"</PF>", 1),
    "dangling": change(b'f="13" n="40"', b'f="13" n="4711"'),
    "twice": change(b'<Procedure i="40" n="leaf"/>', b'<Procedure i="40" n="leaf"/>\n<Procedure i="40" n="fake"/>'),
    "long": change(b'n="leaf"', b'n="' + LONG + b'"'),
    "escapes": change(b'n="leaf"', b'n="' + ESCAPES.replace(b"\x1b", b"&#x9b;").replace(b"\x07", b"&#x9c;") + b'"'),
}


def xml_damaged(folder, kind, damaged):
    top = folder / "database"
    makedb.dense().write(top)
    if damaged:
        path = top / "experiment.xml"
        path.write_bytes(XML[kind](path.read_bytes()))
    return top


# ---- all ----

def single(name, base, cases, compressed=None):
    """The maker of a format whose data is one file. `compressed` makes the file that the kinds of compressed data damage."""
    def made(folder, kind, damaged):
        is_compressed = compressed and kind in ("bomb", "stream")
        path = folder / (compressed(name) if is_compressed else name)
        data = base(folder, path.name)
        path.write_bytes(cases[kind](data) if damaged else data)
        return path
    return made


def fixture(folder, name):
    return (FIXTURES / name).read_bytes()


def webgrind_base(folder, _):
    path = folder / "base.webgrind"
    assay("convert", "--to", "webgrind:7", "-o", path, FIXTURES / "demo.xdebug", check=True)
    data = path.read_bytes()
    path.unlink()
    return data


# format -> (its kinds, maker(folder, kind, is it damaged))
FORMATS = {
    "xdebug": (XDEBUG, single("demo.xdebug", fixture, XDEBUG, lambda name: name + ".gz")),
    "webgrind": (WEBGRIND, single("demo.webgrind", webgrind_base, WEBGRIND)),
    "nytprof": (NYTPROF, single("demo.nytprof", fixture, NYTPROF, lambda name: "demo-z.nytprof")),
    "lcov": (LCOV, single("demo.info", lcov_base, LCOV, lambda name: name + ".gz")),
    "gcovr-json": (GCOVR, single("demo.gcovr.json", lambda folder, name: gcovr_base(), GCOVR)),
    "cov": (COV, cov_damaged),
    "hpcrun": (hpcrun_cases(), hpcrun_damaged),
    "hpcdb-xml": (XML, xml_damaged),
}


def kinds_of(name):
    return [kind for kind in KINDS if kind in FORMATS[name][0]]


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
