"""What agree.py asks of whole files besides the tables of one profile: check, totals, coverage, SQL, stats, differences, merged files, and coverage stores; C is outcomes.c."""
import json
import re

from bindings import assay
from support import assay as command, run

TOP = "select * from top"
STATS = "select metric, name, source, streams, sum, min, mean, max, stddev, imbalance, max_stream from spread"
MERGED = {"lcov": "coverage", "callgrind": "graph", "folded": "tree"}  # what is read of the inputs for a target
WRITTEN = ("merged", "merged.python", "merged.command")
ROWS = ("module", "directory", "file")  # in the order of enum assay_store_row
COUNTED = ("lines", "lines_hit", "functions", "functions_hit", "branches", "branches_hit")
STORED = [f"{what}{end}" for what in ("lines", "functions", "branches") for end in ("", "_hit")]


def text(value):
    return "" if value is None else "%.17g" % value if isinstance(value, float) else str(value)


def line(word, *fields):
    return "\t".join([word, *map(text, fields)])


def parts_of(program, *args):
    """What outcomes.c prints, by the names of the parts."""
    r = run(program, *args)
    if r.returncode:
        raise RuntimeError(f"{args}: {r}")
    said = r.stdout.decode("utf-8", "surrogateescape")
    found = re.split(r"^# (\w+)\n", said, flags=re.M)
    return dict(zip(found[1::2], found[2::2]))


def same(tally, label, want, ask_python):
    """The lines that C printed against those of Python."""
    try:
        got = "".join(f"{one}\n" for one in ask_python())
    except assay.AssayError as e:
        got = f"error\t{e.code}\n"
    differ = next(((a, b) for a, b in zip(got.split("\n"), want.split("\n")) if a != b), ("", ""))
    tally.check(got == want, f"{label}: C and Python", "python " + repr(differ[0])[:600], "c      " + repr(differ[1])[:600])


# ---- as C prints it ----

def check_lines(path):
    found = assay.check(path)
    yield line("row", found.format, found.errors, found.warnings)
    for f in found.findings:
        yield line("finding", f.rule, f.severity, f.message)


def total_lines(p):
    for m in p.metrics:
        total = line("", m.total)[1:] if isinstance(m.total, float) else f"{m.total >> 64 & 2**64 - 1:x}\t{m.total & 2**64 - 1:x}"
        yield line("metric", m.name, m.unit, total)
    for name, value in p.counts.items():
        yield line("count", name, value)


def coverage_lines(p):
    for row in p.coverage().rows():
        yield line("row", row["path"], *(row[n] for n in COUNTED))


def query_lines(path, sql):
    for row in assay.Query(path)(sql).rows():
        yield line("row", *row.values())


def diff_lines(before, after):
    t = before.diff(after)
    if "path" in t:
        for r in t.rows():
            yield line("row", r["old_path"], r["path"], *(r[n] for n in ("before", "before_hit", "after", "after_hit")))
        return
    names = t.about["metrics"]
    if not names:  # nothing to compare by: the others refuse it
        yield "error\tunsupported"
        return
    yield line("same", t.about["same"])
    cost = [t[m if n == t.about["metric"] else f"{m} {n}"].tolist() for n in names for m in ("before_self", "after_self")]
    for i, r in enumerate(t.rows()):
        yield line("row", r["name"], r["file"], ("changed", "new", "gone").index(r["state"]), r["before_calls"], r["after_calls"], *(c[i] for c in cost))


# ---- as the command prints it ----

def as_said(tally, label, args, want):
    """Rows that the command prints as JSON, as the lines that C prints."""
    r = command(*args)
    if r.returncode:
        return tally.check(want.startswith("error\t") or not want, f"{label}: all refuse it", r.stderr[-300:], want[:300])
    got = "".join(f"{line('row', *row.values())}\n" for row in json.loads(r.stdout)["rows"])
    return tally.check(got == want, f"{label}: C and the command", *[(a, b) for a, b in zip(got.split("\n"), want.split("\n")) if a != b][:1])


def merged(tally, label, path, before, target, folder, part):
    """The sums of two files, and the bytes of what they have together. C has written already."""
    for name in WRITTEN[1:]:
        (folder / name).unlink(missing_ok=True)

    def sums():
        both = assay.merge([before, path], want=MERGED[target])
        yield from total_lines(both)
        both.convert(target, folder / "merged.python")
    same(tally, label, part, sums)
    r = command("merge", before, path, "--to", target, "-o", folder / "merged.command")
    if b": skipped: nothing to merge\n" in r.stderr:  # the command goes on without such an input
        return tally.check("error\tempty\n" in part or "error\tunsupported\n" in part, f"{label}: refused alike", part, r.stderr[-300:])
    written = [(folder / name).read_bytes() if (folder / name).exists() else None for name in WRITTEN]
    tally.check(written[0] == written[1], f"{label}: C and Python write the same", *(w and w[:300] for w in written[:2]))
    tally.check(written[0] == written[2], f"{label}: C and the command write the same", r.returncode, r.stderr[-300:], *(w and w[:300] for w in written[::2]))


def target_of(p):
    """A format for two files like this one."""
    return "lcov" if p._is_coverage() else "callgrind" if "graph" in p.shapes else "folded" if "tree" in p.shapes else None


def files(tally, program, label, path, before, folder):
    """One file, and the one before it in its folder (None = none)."""
    try:
        p = assay.read(path, want="all")
    except assay.AssayError as e:
        part = parts_of(program, "file", folder, path)
        tally.check(part["totals"] == f"error\t{e.code}\n", f"{label}: C and Python refuse it", e, part["totals"][:300])
        return
    target = target_of(p)
    pair = [before, target] if before and target and target == target_of(assay.read(before, want="all")) else []
    (folder / WRITTEN[0]).unlink(missing_ok=True)
    part = parts_of(program, "file", folder, path, *pair)
    same(tally, f"{label}: check", part["check"], lambda: check_lines(path))
    same(tally, f"{label}: totals", part["totals"], lambda: total_lines(p))
    same(tally, f"{label}: coverage of files", part["coverage"], lambda: coverage_lines(p))
    for name, sql in (("query", TOP), ("stats", STATS)):
        same(tally, f"{label}: {name}", part[name], lambda: query_lines(path, sql))
        as_said(tally, f"{label}: {name}", ["query", "--format", "json", "--exact", path, sql], part[name])
    if pair:
        same(tally, f"{label}: diff", part["diff"], lambda: diff_lines(assay.read(before, want="top"), assay.read(path, want="top")))
        merged(tally, f"{label}: merged", path, before, target, folder, part["merge"])


# ---- coverage stores ----

def report_lines(store, report, folder):
    for row in store.table(report).rows():
        yield line(str(ROWS.index(row["kind"])), row["name"], *(row[n] for n in STORED), *(row[f"before_{n}"] for n in STORED))
    store.profile(report).convert("lcov", folder / f"{report}.python")


def store_lines(store, folder):
    for r in store.log():
        yield line("report", r.id, r.commit, *(getattr(r, n) for n in STORED))
        try:
            yield from report_lines(store, r.id, folder)
        except assay.AssayError as e:  # of a damaged store
            yield f"error\t{e.code}"


def stores(tally, program, label, path, folder):
    """Reports, their tables, and each of them as lcov."""
    store = assay.Store.find(path)
    want = run(program, "store", folder, path).stdout.decode("utf-8", "surrogateescape")
    same(tally, f"{label}: reports", want, lambda: store_lines(store, folder))
    said = json.loads(command("cov", "-C", path, "log", "--json").stdout)["reports"]
    rows = [line("report", r["report"], r["commit"], *(r["stats"][w][k] for w in ("lines", "functions", "branches") for k in ("relevant", "visited"))) for r in said]
    tally.equal(rows, [w for w in want.split("\n") if w.startswith("report\t")], f"{label}: C and the command: reports")
    for r in said:
        exported = command("cov", "-C", path, "export", r["report"], "--to", "lcov")
        for end in ("info", "python"):
            written = folder / f"{r['report']}.{end}"
            got = written.read_bytes() if written.exists() else None
            tally.equal(got, exported.stdout if exported.returncode == 0 else None, f"{label}: {r['report'][:9]} as lcov: {end} and the command")
