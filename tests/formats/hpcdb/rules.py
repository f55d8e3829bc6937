#!/usr/bin/env python3
"""Every rule of docs/formats/hpcdb.md: a defect is planted in a small database that has none, and check names rule, severity, file and place.

  rules.py [--corpus FOLDER]   with --corpus: writes the fuzz corpus (four parts, each with its length before it) and ends
"""
import gzip
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from makedb import BASE, EXECUTION, FUNCTION, LEX_AWARE, POINT, Database  # noqa: E402

FAR = 1 << 40
DEFECTS = []


def defect(rule, severity, **how):
    """The function plants the defect in a Database(**how) and gives the place that check must name: (file, offset), or a file alone."""

    def add(plant):
        DEFECTS.append((rule, severity, how, plant))
        return plant

    return add


def patch(rule, severity, label, plus, fmt, value, place=None):
    """A single field; the place is that of the field, or of another one (label, plus)."""

    def plant(db):
        at = db.put(label, plus, fmt, value)
        return (db.at[place[0]][0], db.at[place[0]][1] + place[1]) if place else at

    DEFECTS.append((rule, severity, {}, plant))


# ---- the directory and the headers ----

for number, name, grave in (("H001", "meta.db", "error"), ("H002", "profile.db", "error"), ("H003", "cct.db", "warning"), ("H004", "trace.db", "info")):
    defect(number, grave)(lambda db, name=name: (db.parts.pop(name), (name, 0))[1])


@defect("H005", "info")
def no_yaml(db):
    db.yaml = None
    return "metrics/default.yaml"


@defect("H016", "info")
def older_form(db):
    db.parts["experiment.xml"] = bytearray(b'<HPCToolkitExperiment version="2.2"/>')
    return "experiment.xml"


@defect("H006", "error")
def no_header(db):
    del db.parts["cct.db"][25:]
    return "cct.db", 25


@defect("H007", "error")
def no_magic(db):
    db.parts["cct.db"][3] = 0
    return "cct.db", 0


@defect("H008", "error")
def wrong_format(db):
    db.parts["cct.db"][10:14] = b"prof"
    return "cct.db", 10


def major(db):
    db.parts["trace.db"][14] = 5
    return "trace.db", 14


defect("H009", "error")(major)
defect("H010", "error")(major)


@defect("H011", "info")
def minor(db):
    db.parts["profile.db"][15] = 1
    return "profile.db", 15


@defect("H012", "error")
def no_footer(db):
    del db.parts["meta.db"][-1:]
    return "meta.db", len(db.parts["meta.db"]) - 8


patch("H013", "error", "ProfileInfos", 12, "B", 40)


@defect("H013", "error")
def draft(db):
    db.put("Metrics", 12, "BBB", 24, 24, 16)
    return db.at["Metrics"][0], db.at["Metrics"][1] + 12


@defect("H014", "warning")
def behind_footer(db):
    end = len(db.parts["trace.db"])
    db.parts["trace.db"].extend(b"xy")
    return "trace.db", end


@defect("H015", "error")
def cut_packed(db):
    compressed = gzip.compress(bytes(db.parts["cct.db"]), mtime=0)
    db.parts["cct.db"] = bytearray(compressed[:len(compressed) // 2])
    return "cct.db"


# ---- sections ----

patch("H020", "error", "szContext", 0, "Q", FAR)
patch("H021", "error", "szFiles", 8, "Q", 8)
patch("H023", "error", "szGeneral", 0, "Q", 4)


@defect("H022", "warning")
def odd_section(db):
    off = db.get("szGeneral", 8, "Q")
    return db.put("szGeneral", 8, "Q", off + 4)


@defect("H024", "warning")
def overlap(db):
    db.put("szModules", 0, "Q", db.get("szModules", 0, "Q") + 8)
    return db.at["szFiles"][0], db.at["szFiles"][1] + 8


@defect("H025", "error")
def into_footer(db):
    return db.put("szContext", 0, "Q", len(db.parts["meta.db"]) - db.at["Context"][1])


@defect("H026", "info", gap=16)
def gap(db):
    return "meta.db", db.at["Modules"][1] + db.get("szModules", 0, "Q")


@defect("H027", "info", dirty=True)
def dirty(db):
    return "meta.db", db.at["General"][1] + db.get("szGeneral", 0, "Q")


# ---- General, IdNames ----

patch("H030", "error", "General", 0, "Q", 0)
patch("H030", "error", "General", 8, "Q", FAR)
patch("H031", "warning", "General", 16, "B", 0xff, ("General", 0))
patch("H032", "error", "IdNames", 0, "Q", FAR)
patch("H033", "error", "kinds", 8, "Q", 8)
patch("H034", "warning", "IdNames", 8, "B", 0)


@defect("H034", "warning")
def same_kind(db):
    return db.put("kinds", 8, "Q", db.get("kinds", 0, "Q"))


@defect("H035", "warning")
def odd_kinds(db):
    return db.put("IdNames", 0, "Q", db.get("IdNames", 0, "Q") - 4)


# ---- Metrics ----

patch("H040", "error", "Metrics", 0x0c, "B", 31)
patch("H040", "error", "Metrics", 0x0d, "B", 8)
patch("H040", "error", "Metrics", 0x0e, "B", 8)
patch("H040", "error", "Metrics", 0x1a, "B", 8)
patch("H041", "error", "Metrics", 8, "I", 1 << 31)
patch("H042", "error", "Metrics", 0x18, "H", 60000)
patch("H043", "error", "metric", 0x18, "H", 60000, ("metric", 8))
patch("H044", "error", "metric", 0x1a, "H", 60000, ("metric", 0x10))
patch("H045", "error", "inst0", 0, "Q", 4)
patch("H045", "error", "summary0", 0, "Q", 4)
patch("H046", "error", "metric", 0, "Q", 0)
patch("H046", "error", "scope", 0, "Q", FAR)
patch("H046", "error", "summary1", 8, "Q", 0)
patch("H047", "error", "inst0", 16 + 8, "H", 0)
patch("H048", "error", "summary0", 24 + 0x12, "H", 0)
patch("H049", "warning", "scope", 8, "B", 4)
patch("H050", "warning", "scope", 16 + 9, "B", 16)
patch("H051", "warning", "summary0", 0x10, "B", 3)
patch("H052", "warning", "scope", 3 * 16 + 8, "B", 0, ("metric", 0x18))
patch("H053", "warning", "metric", 0x18, "H", 0)
patch("H055", "warning", "formula", 0, "2s", b"$+", ("summary0", 8))


@defect("H054", "warning")
def same_metric(db):
    return db.put("metric", 32, "Q", db.get("metric", 0, "Q"))


# ---- tables ----

patch("H060", "error", "Modules", 0x0c, "H", 8)
patch("H060", "error", "Functions", 0x0c, "H", 39)
patch("H061", "error", "Files", 8, "I", 1 << 30)
patch("H061", "error", "Files", 0, "Q", FAR)
patch("H062", "error", "Functions", 16, "Q", FAR)
patch("H062", "error", "Modules", 16 + 8, "Q", 16)
patch("H062", "error", "entry", 0x18, "Q", FAR)
patch("H063", "error", "Functions", 16 + 8, "Q", 3)
patch("H064", "error", "Functions", 16 + 0x18, "Q", 3)
patch("H069", "info", "Files", 16 + 16, "I", 1, ("Files", 16 + 16 + 8))


@defect("H065", "warning")
def nothing_known(db):
    db.put("Functions", 16 + 80, "QQQQ", 0, 0, 0, 0)
    return db.at["Functions"][0], db.at["Functions"][1] + 16 + 80


@defect("H066", "warning")
def empty_name(db):
    return db.put("Functions", 16, "Q", db.at["Strings"][1] + len("/bin/app"))


@defect("H068", "info")
def same_path(db):
    return db.put("Files", 16 + 16 + 8, "Q", db.get("Files", 16 + 8, "Q"))


# ---- tree ----

patch("H070", "error", "Context", 0x0a, "B", 31)
patch("H070", "error", "Context", 0, "Q", FAR)
patch("H071", "error", "ctx2", 8, "Q", FAR, ("ctx2", 0))
patch("H073", "error", "ctx3", 0x14, "B", 7)
patch("H075", "error", "ctx6", 0x10, "I", 0)
patch("H076", "error", "ctx9", 0x10, "I", 4)
patch("H077", "error", "ctx2", 0x20, "Q", 9)
patch("H077", "error", "ctx3", 0x20, "Q", 9)
patch("H077", "error", "ctx7", 0x20, "Q", 9)
patch("H078", "warning", "ctx4", 0x15, "B", 3)
patch("H078", "warning", "ctx4", 0x16, "B", 4)
patch("H079", "warning", "ctx3", 0x14, "B", 0)
patch("H079", "warning", "ctx7", 0x14, "B", 0)
patch("H081", "warning", "ctx4", 0x18, "H", 1)
patch("H082", "warning", "entry", 0x14, "H", 3)
patch("H086", "warning", "ctx9", 0x10, "I", 1 << 31)
defect("H084", "info")(lambda db: (db.at["ctx9"][0], db.at["ctx9"][1] + 0x10))


@defect("H072", "error")
def inside_context(db):
    return db.put("ctx4", 0, "Q", db.get("ctx4", 0, "Q") - 8)


@defect("H074", "error")
def cycle(db):
    db.put("ctx6", 0, "QQ", db.get("ctx4", 0, "Q"), db.get("ctx4", 8, "Q"))
    return db.at["ctx6"]


@defect("H074", "error")
def overlapping_children(db):
    db.put("ctx6", 0, "QQ", 96, db.at["ctx5"][1] - 48)
    return db.at["ctx6"]


@defect("H080", "warning")
def odd_children(db):
    return db.put("ctx2", 8, "Q", db.get("ctx2", 8, "Q") + 4)


@defect("H087", "info", chain=1000)
def deep_tree(db):
    return db.at["ctx1019"]


# ---- profile.db ----

patch("H090", "error", "ProfileInfos", 12, "B", 47)
patch("H091", "error", "ProfileInfos", 8, "I", 1 << 31)
patch("H092", "error", "ProfileInfos", 8, "I", 0)
patch("H093", "error", "profile0", 0x28, "I", 0)
patch("H093", "error", "profile0", 0x20, "Q", 0xd0)
patch("H094", "warning", "profile2", 0x28, "I", 1)
patch("H095", "error", "profile1", 0x20, "Q", FAR)
patch("H096", "error", "tuples", 8, "B", 99)
patch("H098", "error", "profile1", 0, "Q", 1 << 61)
patch("H098", "error", "profile1", 0x18, "Q", FAR, ("profile1", 0x10))
patch("H101", "error", "ctxs1", 12, "I", 0)
patch("H102", "error", "ctxs1", 12 + 4, "Q", 1 << 40)
patch("H102", "error", "ctxs1", 4, "Q", 1)
patch("H105", "error", "values1", 0, "H", 60000)
patch("H105", "error", "values0", 0, "H", 60000)
patch("H106", "warning", "values1", 2, "d", 0)
patch("H107", "warning", "values1", 2, "d", float("nan"))
patch("H107", "warning", "values0", 2, "d", float("inf"))
patch("H108", "info", "values1", 2, "d", -1)
defect("H110", "info")(lambda db: "meta.db")


@defect("H097", "info")
def same_tuple(db):
    return db.put("profile2", 0x20, "Q", db.get("profile1", 0x20, "Q"))


@defect("H099", "warning")
def odd_values(db):
    return db.put("profile1", 8, "Q", db.get("profile1", 8, "Q") + 1)


@defect("H099", "warning")
def odd_indices(db):
    return db.put("profile1", 0x18, "Q", db.get("profile1", 0x18, "Q") + 2)


@defect("H100", "warning")
def indices_first(db):
    return db.put("profile1", 0x18, "Q", db.get("profile1", 8, "Q"))


@defect("H103", "warning")
def empty_context(db):
    db.put("ctxs1", 12 + 4, "Q", db.get("ctxs1", 24 + 4, "Q"))
    return "profile.db", db.at["ctxs1"][1] + 12 + 4


@defect("H104", "error")
def metrics_swapped(db):
    first, second = db.get("values1", 0, "H"), db.get("values1", 10, "H")
    db.put("values1", 0, "H", second)
    return db.put("values1", 10, "H", first)


@defect("H109", "error")
def unknown_context(db):
    count = db.get("profile2", 0x10, "I")
    return db.put("ctxs2", 12 * (count - 1), "I", 5000)


@defect("H111", "warning")
def same_block(db):
    db.put("profile2", 0, "QQIIQ", *(db.get("profile1", off, fmt) for off, fmt in ((0, "Q"), (8, "Q"), (16, "I"), (20, "I"), (24, "Q"))))
    return "profile.db", db.at["profile2"][1] + 8


# ---- cct.db ----

patch("H120", "error", "CtxInfos", 12, "B", 31)
patch("H121", "error", "CtxInfos", 8, "I", 1 << 31)
patch("H122", "error", "CtxInfos", 8, "I", 3)
patch("H123", "error", "ci2", 0, "Q", 1 << 61)
patch("H123", "error", "ci2", 0x18, "Q", FAR, ("ci2", 0x10))
patch("H125", "error", "cmetrics4", 10, "H", 0)
patch("H126", "error", "cmetrics4", 10 + 2, "Q", 1 << 50)
patch("H127", "error", "cvalues4", 12, "I", 1)
patch("H128", "error", "cvalues4", 0, "I", 0)
patch("H128", "error", "cvalues4", 12, "I", 77)
patch("H129", "error", "cmetrics4", 0, "H", 50)
patch("H130", "warning", "cvalues4", 4, "d", 0)
patch("H130", "warning", "cvalues4", 4, "d", float("nan"))


@defect("H124", "warning")
def metrics_first(db):
    return db.put("ci4", 0x18, "Q", db.get("ci4", 8, "Q"))


@defect("H131", "warning")
def odd_cct_values(db):
    return db.put("ci4", 8, "Q", db.get("ci4", 8, "Q") + 2)


# ---- trace.db ----

patch("H140", "error", "CtxTraces", 12, "B", 23)
patch("H141", "error", "CtxTraces", 8, "I", 1 << 31)
patch("H142", "error", "trace0", 0x10, "Q", FAR)
patch("H142", "error", "trace0", 0x10, "Q", 8)
patch("H144", "error", "trace0", 0, "I", 0)
patch("H144", "error", "trace0", 0, "I", 3)
patch("H145", "warning", "trace1", 0, "I", 1)
patch("H146", "error", "samples0", 12, "Q", 1)
patch("H147", "warning", "samples0", 8, "I", 0, ("samples0", 12 + 8))
patch("H148", "error", "samples0", 8, "I", 8)
patch("H149", "warning", "samples0", 24, "Q", 3001)
patch("H150", "info", "CtxTraces", 0x10, "Q", 999)
patch("H150", "info", "CtxTraces", 0x18, "Q", 3001)


@defect("H143", "error")
def odd_trace(db):
    return db.put("trace0", 0x10, "Q", db.get("trace0", 0x10, "Q") - 4)


@defect("H151", "info")
def no_samples(db):
    for trace in ("trace0", "trace1"):
        db.put(trace, 0x10, "Q", db.get(trace, 8, "Q"))
    return "trace.db", db.at["CtxTraces"][1] + 8


@defect("H152", "warning")
def traces_overlap(db):
    db.put("trace1", 8, "QQ", db.get("trace0", 8, "Q"), db.get("trace0", 0x10, "Q"))
    return "trace.db", db.at["trace1"][1] + 8


@defect("H153", "warning")
def odd_samples(db):
    start = db.get("trace0", 8, "Q")
    db.put("trace0", 8, "QQ", start + 2, start + 2)
    return db.put("trace0", 8, "QQ", start + 2, start + 14)


# ---- across files, and what the figures mean ----

patch("H160", "error", "cvalues4", 4, "d", 1234)


@defect("H160", "error")
def not_in_profile(db):
    count = db.get("profile1", 0, "Q")
    db.put("profile1", 0, "Q", count - 1)
    return "cct.db"


@defect("H160", "error")
def not_in_cct(db):
    db.put("ci4", 0, "Q", db.get("ci4", 0, "Q") - 1)
    return "profile.db"


@defect("H161", "error")
def fewer_in_cct(db):
    db.put("ci4", 0, "Q", db.get("ci4", 0, "Q") - 1)
    return db.at["CtxInfos"]


def value_at(db, profile, ctx, metric):
    """The place of a value in profile.db."""
    count, values = db.get(f"profile{profile}", 0x10, "I"), db.get(f"profile{profile}", 0, "Q")
    index = [struct.unpack_from("<IQ", db.parts["profile.db"], db.at[f"ctxs{profile}"][1] + 12 * i) for i in range(count)] + [(None, values)]
    for (id_, begin), (_, end) in zip(index, index[1:]):
        for i in range(begin, end):
            off = db.at[f"values{profile}"][1] + 10 * i
            if id_ == ctx and struct.unpack_from("<H", db.parts["profile.db"], off)[0] == metric:
                return "profile.db", off + 2
    raise KeyError((profile, ctx, metric))


def tweaked(rule, profile, ctx, changes, scope):
    """Values of one context in a thread, in both files, with a summary that agrees."""
    tweak = {(profile, ctx, 0, s): v for s, v in changes.items()}
    DEFECTS.append((rule, "warning", {"tweak": tweak}, lambda db: value_at(db, profile, ctx, scope)))


tweaked("H162", 1, 3, {EXECUTION: 5.0}, EXECUTION)
tweaked("H163", 1, 4, {FUNCTION: 5.0, LEX_AWARE: 5.0}, FUNCTION)
tweaked("H166", 1, 4, {LEX_AWARE: 5.0}, LEX_AWARE)
tweaked("H171", 1, 8, {POINT: 5.0}, POINT)
tweaked("H173", 1, 6, {FUNCTION: 100.0, LEX_AWARE: 100.0}, EXECUTION)
DEFECTS.append(("H164", "warning", {"tweak": {(1, 0, 0, EXECUTION): 7.0}}, lambda db: value_at(db, 1, 0, EXECUTION)))
DEFECTS.append(("H165", "warning", {"tweak": {(1, 0, 0, EXECUTION): 7.0}}, lambda db: value_at(db, 1, 0, EXECUTION)))
DEFECTS.append(("H170", "warning", {"unsummed": [8]}, lambda db: db.at["ci8"]))


def summary(rule, severity, metric):
    def plant(db):
        file, off = value_at(db, 0, 4, metric)
        struct.pack_into("<d", db.parts[file], off, 77.0)
        return file, off

    DEFECTS.append((rule, severity, {}, plant))


summary("H167", "info", LEX_AWARE)
summary("H168", "warning", EXECUTION)
summary("H168", "warning", 2 * 4 + EXECUTION)
summary("H169", "warning", 1 * 4 + EXECUTION)
summary("H169", "warning", 3 * 4 + EXECUTION)
summary("H169", "warning", 4 * 4 + EXECUTION)


@defect("H170", "warning")
def only_in_summary(db):
    for label in ("ci9", "ci8"):
        assert db.at[label]
    db.put("ctxs0", 12 * (db.get("profile0", 0x10, "I") - 1), "I", 9)
    return "profile.db", db.at["ctxs0"][1] + 12 * (db.get("profile0", 0x10, "I") - 1)


# ---- default.yaml ----


def column(rule, line, old, new):
    """A change of the text; the line where check must see it."""

    def plant(db):
        assert old in db.yaml
        db.yaml = db.yaml.replace(old, new, 1)
        return "metrics/default.yaml", ("line", line)

    DEFECTS.append((rule, "warning", {}, plant))


column("H174", 3, "metric: cycles", "metric: seconds")
column("H174", 3, "scope: execution", "scope: elsewhere")
column("H174", 8, "scope: function\n    formula: $$", "scope: function\n    formula: ($$^3)")
column("H174", 3, "combine: sum", "combine: product")
column("H174", 3, "    metric: cycles\n", "")
column("H175", 5, "&cycles-execution", "&cycles-execution [")
column("H175", 23, "*cycles-function", "*nobody")
column("H175", 15, "- name: Cycles", "- &loop\n    self: *loop\n    name: Cycles")
column("H175", 2, "inputs:", "deep: " + "[" * 70 + "]" * 70 + "\ninputs:")
column("H175", 1, "version: 0", "[a, b]: 0")
column("H175", 2, "inputs:", "inputs: many\nothers:")
column("H175", 14, "roots:", "roots:\n  - none")


# ---- what a defect brings with it ----

# A file that lies in one place cannot be right in all others: what else check may say of a defect. Nothing else may come.
VALUES = {"H160", "H161"}  # profile.db and cct.db no longer agree
CONSEQUENCES = {
    "H009": {"H010"}, "H010": {"H009"},
    "H012": {"H025"},  # the last section now reaches into what should be the footer
    "H013": {"H040", "H090"}, "H014": {"H012"}, "H015": {"H012", "H123"} | VALUES,
    "H020": {"H148"},  # no contexts, so samples refer to none
    "H021": {"H026", "H064", "H077"}, "H022": {"H030"}, "H032": {"H096"}, "H034": {"H096"}, "H035": {"H033"},
    # what is lost of a metric is missing in its values and columns
    "H040": {"H045", "H052", "H105", "H129", "H174"}, "H042": {"H031", "H046", "H049"}, "H043": {"H052", "H105", "H129"}, "H044": {"H105", "H174"},
    "H045": {"H105", "H129"}, "H046": {"H174"}, "H047": {"H105", "H129"}, "H048": {"H105"}, "H053": {"H105", "H129"}, "H055": {"H174"},
    "H060": {"H063", "H077"}, "H061": {"H064", "H077"},
    # contexts that are lost
    "H070": {"H148"}, "H071": {"H148"}, "H072": {"H148"}, "H075": {"H148"}, "H076": {"H148"}, "H086": {"H122", "H148"},
    "H080": {"H071", "H072", "H073", "H081", "H122", "H148"},
    # profiles and values that are lost or read at another place
    "H090": {"H144"}, "H092": {"H144"}, "H093": {"H097"}, "H094": VALUES, "H098": VALUES, "H099": {"H100", "H102", "H103", "H104", "H109", "H111"} | VALUES,
    "H100": {"H101", "H102", "H103", "H104", "H109"} | VALUES, "H101": VALUES, "H102": {"H103", "H104"} | VALUES, "H103": {"H104"} | VALUES, "H104": VALUES,
    "H105": {"H104"} | VALUES, "H106": VALUES, "H107": VALUES, "H108": VALUES, "H109": VALUES, "H111": VALUES,
    "H120": {"H109", "H122"} | VALUES, "H122": {"H109"} | VALUES, "H123": VALUES, "H124": {"H125", "H126", "H127", "H129"} | VALUES, "H125": VALUES,
    "H126": {"H127"} | VALUES, "H127": VALUES, "H128": VALUES, "H129": {"H125"} | VALUES, "H130": VALUES, "H131": {"H124", "H127", "H128"} | VALUES,
    "H140": {"H151"}, "H142": {"H147", "H148", "H149", "H150", "H152"}, "H143": {"H150"}, "H146": {"H149"}, "H153": {"H148", "H149", "H150"},
    "H160": {"H161"}, "H161": {"H160"}, "H162": {"H163"}, "H163": {"H173"}, "H164": {"H165"}, "H165": {"H164"}, "H171": {"H165"}, "H173": {"H163"},
}
ALWAYS = {"H084", "H110"}  # of the database without a defect
NOT_PLANTED = {"H176"}     # about the build, not the database


# ---- running ----


def planted():
    for rule, severity, how, plant in DEFECTS:
        db = Database(**how)
        yield rule, severity, db, plant(db)


def findings(assay, folder):
    result = assay("check", "--json", "--deep", "-v", folder)
    return result, json.loads(result.stdout)["files"][0].get("findings", []) if result.stdout else []


def is_place(finding, place):
    file, off = place if isinstance(place, tuple) else (place, None)
    if isinstance(off, tuple):
        return finding["message"].startswith(file + ": ") and finding.get("line") == off[1]
    return finding["message"].startswith(file + ": ") and (off is None or finding.get("offset") == off)


def hidden_metric(tally, assay, folder):
    """A metric that default.yaml hides is not what top shows by itself."""
    db = Database()
    db.yaml = db.yaml.replace("    variants:", "    visible by default: false\n    variants:", 1)
    db.write(folder)
    shown = json.loads(assay("info", "--json", folder).stdout)["files"][0]["attributes"]
    tally.check(shown["column.cycles"].endswith("; hidden at first"), "a hidden column is told", shown["column.cycles"])
    tally.check(b": TIME (sec) 2.50 s," in assay("top", folder).stdout, "top takes the first metric that is not hidden")
    tally.check(b": cycles 10," in assay("top", "--metric", "cycles", folder).stdout, "a hidden metric is shown when asked for")


def generator(tally, program):
    """bench/make_hpcdb.py plants the same defects one by one."""
    from support import assay

    def run(*args):
        return subprocess.run([sys.executable, program, *args], capture_output=True, text=True, check=False)

    listed = {line.split()[0] for line in run("--list-defects").stdout.splitlines()}
    tally.equal(listed, {rule for rule, *_ in DEFECTS}, "--list-defects")
    tally.equal(run("nowhere", "--defect", "H999").returncode, 2, "an unknown defect is refused")
    for name in ("H104", "H040:3", "H168", "H174:2"):
        with tempfile.TemporaryDirectory() as tmp:
            told = json.loads(run(tmp, "--defect", name).stdout)
            hits = [f for f in findings(assay, tmp)[1] if f["rule"] == told["rule"] == name.split(":", maxsplit=1)[0] and f["severity"] == told["severity"]]
            tally.check(any(f["message"].startswith(told["file"]) and f.get("offset") == told.get("offset") and f.get("line") == told.get("line") for f in hits),
                        f"--defect {name}: found where it was planted", told, hits)


def run_all():
    from support import SOURCE, Tally, assay, said

    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        Database().write(Path(tmp) / "sound")
        result, found = findings(assay, Path(tmp) / "sound")
        tally.equal(sorted(f["rule"] for f in found), ["H084", "H110"], "the database without a defect")
        shown = json.loads(assay("info", "--json", Path(tmp) / "sound").stdout)["files"][0]["attributes"]
        tally.equal(shown.get("column.cycles"), "Cycles: turns of the clock; inclusive execution, exclusive function", "its column")
        hidden_metric(tally, assay, Path(tmp) / "hidden")
        for n, (rule, severity, db, place) in enumerate(planted()):
            folder = Path(tmp) / str(n)
            db.write(folder)
            result, found = findings(assay, folder)
            hits = [f for f in found if f["rule"] == rule and f["severity"] == severity and is_place(f, place)]
            tally.check(hits, f"{rule} at {place}", *[f"{f['rule']} {f['severity']} {f.get('offset')} {f['message']}" for f in found[:8]], said(result))
            others = {f["rule"] for f in found} - ALWAYS - {rule} - CONSEQUENCES.get(rule, set())
            tally.equal(others, set(), f"{rule} at {place}: nothing else is found")
            tally.equal(result.returncode, 1 if any(f["severity"] == "error" for f in found) else 0, f"{rule}: exit code")
            for verb in ("info", "top", "dump"):
                tally.check(assay(verb, folder).returncode in (0, 3), f"{rule}: {verb} survives")
    generator(tally, SOURCE / "bench" / "make_hpcdb.py")
    page = (SOURCE / "docs" / "formats" / "hpcdb.md").read_text(encoding="utf-8")
    known = {line.split("|")[1].strip() for line in page.split("\n") if line.startswith("| H")}
    tally.equal(sorted(known - NOT_PLANTED - {rule for rule, *_ in DEFECTS}), [], "every rule of the page has a planted defect")
    tally.finish()


def pack(db):
    """Four parts, each with its length before it: what tests/fuzz/fuzz_hpcdb.c takes."""
    names = ("meta.db", "profile.db", "cct.db", "trace.db")
    return b"".join(struct.pack("<I", len(db.parts.get(n, b""))) + bytes(db.parts.get(n, b"")) for n in names)


def write_corpus(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sound").write_bytes(pack(Database()))
    (folder / "single-meta").write_bytes(bytes(Database().parts["meta.db"]))
    kept = {"H001", "H002", "H003", "H006", "H008", "H012", "H013", "H020", "H024", "H041", "H043", "H045", "H061", "H071", "H072", "H073", "H074", "H076",
            "H077", "H086", "H091", "H095", "H098", "H101", "H102", "H104", "H111", "H121", "H123", "H126", "H127", "H141", "H142", "H148", "H160"}
    for rule, _, db, _ in planted():
        if rule in kept:
            (folder / rule).write_bytes(pack(db))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--corpus"]:
        write_corpus(sys.argv[2])
    else:
        run_all()
