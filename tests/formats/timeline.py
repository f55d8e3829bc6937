#!/usr/bin/env python3
"""`timeline --json` against a reader of its own: trace.db, meta.db and profile.db by plain struct, shares of time per function at several depths and in
several windows, over all streams and for each, to the last ns; the same of flame charts, at every depth. And against what independent tools say of traces:
samples, first and last time. And texts of Xdebug that the test makes: what they are made of must come out, in memory that does not grow with the calls.
"""
import collections
import json
import os
import random
import struct
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, SHARED, Tally, assay, has_shared, said  # noqa: E402

DATABASES = ("ping-pong", "acc-f3", "derived-metrics", "inline", "loops-perf-traced-2022", "gen-plain", "gen-wide", "issue-233")
KINDS = ["NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"]
INNERMOST = 0
WINDOWS = ((0, 100), (25, 50), (90, 100))  # percent


def u(data, at, form):
    return struct.unpack_from("<" + form, data, at)[0]


def text(data, at):
    return data[at : data.index(0, at)].decode("utf-8", "surrogateescape") if at else None


class Database:
    """Functions, contexts and traces of a database, as the specification lays them out."""

    def __init__(self, folder):
        self.meta = (folder / "meta.db").read_bytes()
        self.profiles = (folder / "profile.db").read_bytes()
        self.parent, self.frame = {}, {}  # by context: its parent; what it is shown as, None = no frame
        self.read_contexts()

    def function(self, at):
        meta = self.meta
        if not at:
            return ("<unknown function>", None, None, None)
        module, file, line = u(meta, at + 8, "Q"), u(meta, at + 24, "Q"), u(meta, at + 32, "I")
        return (text(meta, u(meta, at, "Q")), text(meta, u(meta, file + 8, "Q")) if file else None, line or None, text(meta, u(meta, module + 8, "Q")) if module else None)

    def instruction(self, at, flags):
        at += 32 + 8 * (flags & 1) + 16 * (flags >> 1 & 1)
        module = u(self.meta, at, "Q")
        path = text(self.meta, u(self.meta, module + 8, "Q"))
        return (f"{path}+0x{u(self.meta, at + 8, 'Q'):x}", None, None, path)

    def read_contexts(self):
        meta = self.meta
        section = u(meta, 16 + 3 * 16 + 8, "Q")
        entries, count, stride = u(meta, section, "Q"), u(meta, section + 8, "H"), u(meta, section + 10, "B")
        work = []
        for i in range(count):
            at = entries + i * stride
            ctx = u(meta, at + 16, "I")
            self.parent[ctx], self.frame[ctx] = 0, (text(meta, u(meta, at + 24, "Q")), None, None, None)
            work.append((u(meta, at + 8, "Q"), u(meta, at, "Q"), ctx))
        while work:
            at, size, above = work.pop()
            end = at + size
            while at < end:
                ctx, flags, relation, lexical, words = struct.unpack_from("<I4B", meta, at + 16)
                self.parent[ctx], self.frame[ctx] = above, None
                if lexical == 0:
                    self.frame[ctx] = self.function(u(meta, at + 32, "Q") if flags & 1 else 0)
                elif relation in (1, 2):
                    self.frame[ctx] = self.instruction(at, flags)
                if u(meta, at, "Q"):
                    work.append((u(meta, at + 8, "Q"), u(meta, at, "Q"), ctx))
                at += 32 + 8 * words

    def stack(self, ctx):
        frames = []
        while ctx:
            if self.frame[ctx]:
                frames.append(self.frame[ctx])
            ctx = self.parent[ctx]
        return frames[::-1]

    def tuple_of(self, profile):
        data = self.profiles
        section = u(data, 16 + 8, "Q")
        at = u(data, u(data, section, "Q") + profile * u(data, section + 12, "B") + 32, "Q")
        names = u(self.meta, u(self.meta, 16 + 16 + 8, "Q"), "Q")
        return [(text(self.meta, u(self.meta, names + 8 * u(data, at + 8 + 16 * i, "B"), "Q")), u(data, at + 12 + 16 * i, "I")) for i in range(u(data, at, "H"))]


def read_traces(folder):
    """(profile, [(time, context)]) of every trace that is not empty."""
    data = (folder / "trace.db").read_bytes()
    section = u(data, 16 + 8, "Q")
    first, count, stride = u(data, section, "Q"), u(data, section + 8, "I"), u(data, section + 12, "B")
    found = []
    for i in range(count):
        begin, end = u(data, first + i * stride + 8, "Q"), u(data, first + i * stride + 16, "Q")
        if end > begin:
            found.append((u(data, first + i * stride, "I"), list(struct.iter_unpack("<QI", data[begin:end]))))
    return found


def shares(database, samples, depth, low, high):
    """Time of one stream between low and high: by function, and idle."""
    by_context = collections.Counter()
    for (begin, ctx), (end, _) in zip(samples, samples[1:]):
        length = min(end, high) - max(begin, low)
        if length > 0:
            by_context[ctx] += length
    by_function, idle = collections.Counter(), by_context.pop(0, 0)
    for ctx, time in by_context.items():
        stack = database.stack(ctx)
        by_function[stack[-1] if depth == INNERMOST else stack[min(depth, len(stack)) - 1]] += time
    return by_function, idle


def key(row):
    return (row["name"], row["file"], row["line"], row["module"])


def order(tuples):
    return [(KINDS.index(kind) if kind in KINDS else len(KINDS), logical) for kind, logical in tuples]


def label_of(tuples, common):
    rest = [part for part in tuples if part not in common] or tuples[-1:]
    return " ".join(f"{kind} {logical}" for kind, logical in rest)


def check_database(tally, name, folder):
    database, traces = Database(folder), read_traces(folder)
    begin, end = min(s[0][0] for _, s in traces), max(s[-1][0] for _, s in traces)
    tuples = {profile: database.tuple_of(profile) for profile, _ in traces}
    traces.sort(key=lambda t: (order(tuples[t[0]]), t[0]))
    common = [part for part in tuples[traces[0][0]] if all(part in t for t in tuples.values())]
    check_chart(tally, name, database, traces, begin, folder)
    for depth in (1, 3, INNERMOST):
        for low, high in WINDOWS:
            label = f"{name}, depth {depth}, {low}% to {high}%"
            made = assay("timeline", "--json", "--limit", "0", "--depth", depth, "--time", f"{low}%..{high}%", folder)
            if not tally.check(made.returncode == 0, label, said(made)):
                continue
            seen = json.loads(made.stdout.decode("utf-8", "surrogateescape"))
            span = end - begin
            window = [round(span * p / 100) for p in (low, high)]
            tally.check(all(abs(a - b) <= 1 for a, b in zip(window, seen["window"].values())), f"{label}: the window", seen["window"], window)
            ends = begin + seen["window"]["from"], begin + seen["window"]["to"]
            want = [shares(database, samples, depth, *ends) for _, samples in traces]
            total, streams = collections.Counter(), collections.Counter()
            for by_function, _ in want:
                total.update(by_function)
                streams.update(by_function.keys())
            got, on = collections.Counter(), collections.Counter()
            for row in seen["rows"]:
                got[key(row)] += row["time"]
                on[key(row)] = max(on[key(row)], row["streams"])
            tally.equal(got, total, f"{label}: time by function")
            tally.check(all(on[k] <= streams[k] for k in on), f"{label}: streams by function", on, streams)
            tally.equal((seen["begin"], seen["end"], seen["idle"]), (begin, end, sum(idle for _, idle in want)), f"{label}: ends and idle")
            tally.equal(seen["time"], sum(total.values()) + seen["idle"], f"{label}: all of it")
            lines = []
            for line in seen["streams"]:
                parts = collections.Counter()
                for part in line["rows"]:
                    parts[key(seen["rows"][part["row"]])] += part["time"]
                lines.append((parts, line["idle"]))
            tally.equal(lines, want, f"{label}: each stream")
            if depth == 1:
                tally.equal([s["label"] for s in seen["streams"]], [label_of(tuples[p], common) for p, _ in traces], f"{label}: order and labels")


def merge_sum(boxes):
    """Time by depth."""
    by_depth = collections.Counter()
    for box in boxes:
        by_depth[box["depth"]] += box["time"]
    return by_depth


def check_boxes(tally, label, stream, columns, span):
    """What must hold of the boxes of any chart: in order, apart, inside those above, few, and no wider ones merged."""
    rows = collections.defaultdict(list)
    for box in stream["boxes"]:
        rows[box["depth"]].append(box)
    for depth, boxes in rows.items():
        tally.check(all(a["to"] <= b["from"] for a, b in zip(boxes, boxes[1:])), f"{label}: boxes at depth {depth} stand apart")
        tally.check(len(boxes) <= 3 * columns, f"{label}: boxes at depth {depth}", len(boxes))
        tally.check(all(b["merged"] or (b["to"] - b["from"] == b["time"] and b["time"] * columns >= span) for b in boxes), f"{label}: boxes at depth {depth} that are not merged")
    tally.equal(len(rows), stream["levels"], f"{label}: levels")


def chart_of(database, samples, low, high):
    """Of one stream: time by depth, self time by function, total time by function."""
    by_depth, self_time, total = collections.Counter(), collections.Counter(), collections.Counter()
    for (begin, ctx), (end, _) in zip(samples, samples[1:]):
        length = min(end, high) - max(begin, low)
        if length <= 0 or not ctx:
            continue
        stack = database.stack(ctx)
        self_time[stack[-1]] += length
        for depth, _ in enumerate(stack, 1):
            by_depth[depth] += length
        for function in set(stack):
            total[function] += length
    return by_depth, self_time, total


def check_chart(tally, name, database, traces, begin, folder):
    for window in ("0%..100%", "25%..50%"):
        label = f"{name}, chart of {window}"
        made = assay("timeline", "--json", "--limit", "0", "--width", "300", "--time", window, folder)
        if not tally.check(made.returncode == 0, label, said(made)):
            continue
        seen = json.loads(made.stdout.decode("utf-8", "surrogateescape"))
        ends = begin + seen["window"]["from"], begin + seen["window"]["to"]
        self_time, total = collections.Counter(), collections.Counter()
        for stream, (_, samples) in zip(seen["streams"], traces):
            want = chart_of(database, samples, *ends)
            tally.equal(merge_sum(stream["boxes"]), want[0], f"{label}, {stream['label']}: time by depth")
            check_boxes(tally, f"{label}, {stream['label']}", stream, 300, ends[1] - ends[0])
            self_time.update(want[1])
            total.update(want[2])
        for what, want in (("self", self_time), ("total", total)):
            got = collections.Counter()
            for row in seen["rows"]:
                got[key(row)] += row[what]
            if len(set(map(key, seen["rows"]))) == len(seen["rows"]) or what == "self":
                tally.equal(+got, +want, f"{label}: {what} time by function")


def check_facts(tally, name, facts, folder):
    """What the tools of the shared data say of the traces."""
    trace = facts["facts"]["trace"]
    made = assay("timeline", "--json", "--limit", "1", folder)
    if not trace["nonempty"]:
        tally.check(made.returncode == 3 and b"no samples" in made.stderr, f"{name}: nothing over time", said(made))
        return
    if tally.check(made.returncode == 0, name, said(made)):
        seen = json.loads(made.stdout.decode("utf-8", "surrogateescape"))
        tally.equal((len(seen["streams"]), seen["samples"]), (trace["nonempty"], facts["counts"]["samples"]), f"{name}: streams and samples")
        times = [t for s in seen["streams"] for t in (s["begin"], s["end"])]
        tally.check(trace["min"] <= min(times) and max(times) <= trace["max"], f"{name}: within what the file states", times)
        tally.check(trace["first"][1] in times and trace["last"][1] in times, f"{name}: first and last", trace, times)


def check_databases(tally):
    expected = json.loads((SHARED / "data/hpcdb/expected.json").read_text())
    for name, facts in expected.items():
        if "trace" not in facts.get("facts", {}) or name.startswith("bad-"):
            continue
        with tempfile.TemporaryDirectory() as tmp:
            for archive in sorted((SHARED / "data/hpcdb").glob(name)):
                tarfile.open(archive).extractall(tmp)
            folder = next(Path(tmp).iterdir())
            check_facts(tally, name, facts, folder)
            if folder.name in DATABASES:
                check_database(tally, folder.name, folder)


def check_traces(tally):
    for path in sorted((SHARED / "data/hpcrun").rglob("expected.json")):
        for name, want in json.loads(path.read_text()).items():
            if not isinstance(want, dict) or want.get("format") != "hpctrace" or not want.get("ok") or not want["counts"].get("samples"):
                continue
            made = assay("timeline", "--json", path.parent / name)
            if not tally.check(made.returncode == 0, name, said(made)):
                continue
            seen, facts = json.loads(made.stdout), want["facts"]
            scale = 1 if facts["min"] > 10**17 else 1000  # old ones count us, which shows: ns would be of 1970
            tally.equal((seen["begin"], seen["end"], seen["samples"]), (scale * facts["min"], scale * facts["max"], want["counts"]["samples"]), f"{name}: ends and samples")
            tally.equal(seen["time"], scale * (facts["max"] - facts["min"]), f"{name}: time")


class Xdebug:
    """Text of Xdebug, made call by call, and what it must come to, in ns."""

    def __init__(self, out):
        self.out, self.ids, self.calls = out, {}, 0
        self.self_time = collections.Counter()
        out.write("version: 1\ncreator: xdebug 3.2.0\ncmd: /srv/run.php\npart: 1\npositions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n")

    def name(self, kind, name):
        known = name in self.ids
        number = self.ids.setdefault(name, len(self.ids) + 1)
        return f"{kind}=({number})\n" if known else f"{kind}=({number}) {name}\n"

    def call(self, name, time, kids=()):
        """A finished call that took `time` itself; returns (name, all that it took)."""
        text = [self.name("fn", name), f"1 {time} 0\n"]
        text += [f"{self.name('cfn', kid)}calls=1 0 0\n1 {took} 0\n" for kid, took in kids]
        self.out.write("fl=(1) /srv/run.php\n" + "".join(text) + "\n")
        self.calls += 1
        self.self_time[name] += 10 * time
        return name, time + sum(took for _, took in kids)


def write_long(path):
    """Two phases of equal length; in each, many short calls that differ."""
    with open(path, "w") as out:
        x, phases = Xdebug(out), []
        for phase, helper in (("parse", "token"), ("emit", "format")):
            units = []
            for unit in range(200):
                steps = [x.call(helper, 20, [x.call(f"leaf{(unit + step + i) % 50}", 7) for i in range(5)]) for step in range(200)]
                units.append(x.call(f"unit{unit % 7}", 1000, steps))
            phases.append(x.call(phase, 5, units))
        x.call("{main}", 10, phases)
    return x, {name: 10 * took for name, took in phases}


def well_formed(svg):
    try:
        return bool(xml.etree.ElementTree.fromstring(svg).tag)
    except xml.etree.ElementTree.ParseError:
        return False


def check_long(tally):
    with tempfile.TemporaryDirectory() as tmp:
        path = Path(tmp) / "long.xdebug"
        x, phases = write_long(path)
        for depth, want in ((INNERMOST, dict(x.self_time)), (2, {**phases, "{main}": 100})):
            made = assay("timeline", "--json", "--limit", "0", "--depth", depth, path)
            if tally.check(made.returncode == 0, f"long text, depth {depth}", said(made)):
                seen = json.loads(made.stdout)
                tally.equal({row["name"]: row["time"] for row in seen["rows"]}, want, f"long text, depth {depth}: time by function")
                tally.equal((seen["samples"], seen["deepest"], seen["end"]), (x.calls, 5, sum(x.self_time.values())), f"long text, depth {depth}: calls, depth, time")
        for verb in ("timeline", "flame"):  # {main} has "<0.01%" by itself
            picture = Path(tmp) / f"{verb}.svg"
            made = assay(verb, *(("--depth", 2) if verb == "timeline" else ()), "-o", picture, path)
            if tally.check(made.returncode == 0, f"long text: {verb}", said(made)):
                svg = picture.read_bytes()
                tally.check(b"&lt;0.01%" in svg and well_formed(svg), f"long text: {verb} is well-formed XML")
        strips = {}
        for depth, window in ((2, None), (2, "0%..100%"), (4, None), (4, "0%..100%")):
            made = assay("timeline", "--width", "107", "--depth", depth, *(("--time", window) if window else ()), path).stdout.decode()
            strips[depth, bool(window)] = next(line for line in made.splitlines() if line.startswith("PART 1 "))[7:]
        for depth in (2, 4):
            tally.equal(strips[depth, False], strips[depth, True], f"long text, depth {depth}: the picture")
            tally.equal([len(set(strips[depth, False][half])) for half in (slice(0, 49), slice(51, None))], [1, 1], f"long text, depth {depth}: two phases")


class Program:
    """Text of Xdebug of calls that a die decides, recursion included, and when each of them began and ended, in 10 ns."""

    def __init__(self, seed, calls):
        self.die, self.left, self.clock = random.Random(seed), calls, 0
        self.spans = []  # (depth, begin, end, self, names of callers), in the order of returns

    def call(self, x, callers):
        name = f"f{self.die.randrange(12)}" if callers else "{main}"
        begin, kids, stack = self.clock, [], callers + (name,)
        while self.left and (not callers or (len(callers) < 15 and self.die.random() < 0.55)):
            self.left -= 1
            kids.append(self.call(x, stack))
        own = self.die.choice((0, 1, 2, 5, 40, 300))
        self.clock += own
        self.spans.append((len(stack), begin, self.clock, own, stack))
        return x.call(name, own, kids)

    def chart(self, low, high):
        """Between two times: time by depth; self and total time by function; self time by stack."""
        by_depth, own, total, stacks = (collections.Counter() for _ in range(4))
        for depth, begin, end, self_time, stack in self.spans:
            inside = max(0, min(end, high) - max(begin, low))
            alone = max(0, min(end, high) - max(end - self_time, low))
            by_depth[depth] += 10 * inside
            own[stack[-1]] += 10 * alone
            stacks[stack] += 10 * alone
            if stack[-1] not in stack[:-1]:
                total[stack[-1]] += 10 * inside
        return +by_depth, +own, +total, +stacks


def check_program(tally, path, program, window, width):
    label = f"program, {window}, {width} columns"
    made = assay("timeline", "--json", "--limit", "0", "--width", width, *(("--time", window) if window else ()), path)
    if not tally.check(made.returncode == 0, label, said(made)):
        return
    seen = json.loads(made.stdout)
    low, high = seen["window"]["from"], seen["window"]["to"]
    by_depth, own, total, stacks = program.chart(low / 10, high / 10)
    tally.equal((seen["samples"], seen["end"]), (len(program.spans), 10 * program.clock), f"{label}: calls and time")
    tally.equal(merge_sum(seen["streams"][0]["boxes"]), by_depth, f"{label}: time by depth")
    tally.equal({row["name"]: row["self"] for row in seen["rows"] if row["self"]}, own, f"{label}: self time by function")
    tally.equal({row["name"]: row["total"] for row in seen["rows"]}, total, f"{label}: total time by function")
    tally.equal(seen["deepest"], max(by_depth), f"{label}: the deepest stack")
    check_boxes(tally, label, seen["streams"][0], width, high - low)
    for depth in (3, INNERMOST):
        made = assay("timeline", "--json", "--limit", "0", "--depth", depth, *(("--time", window) if window else ()), path)
        want = collections.Counter()
        for stack, time in stacks.items():
            want[stack[-1] if depth == INNERMOST else stack[min(depth, len(stack)) - 1]] += time
        tally.equal({row["name"]: row["time"] for row in json.loads(made.stdout)["rows"]}, want, f"{label}: shares at depth {depth}")


def check_programs(tally):
    with tempfile.TemporaryDirectory() as tmp:
        path = Path(tmp) / "program.xdebug"
        with open(path, "w") as out:
            program = Program(7, 30000)
            program.call(Xdebug(out), ())
        for window, width in ((None, 50), (None, 2000), ("25%..50%", 60), ("33.33%..33.4%", 300), ("90%..", 500), ("..1us", 100)):
            check_program(tally, path, program, window, width)


def peak(*arguments, **environment):
    """KB of memory that a run took, and what it printed."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([str(ASSAY), *map(str, arguments)], stdout=out, env={**os.environ, **environment})
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        out.seek(0)
        return usage.ru_maxrss, out.read() if status == 0 else None


def check_memory(tally):
    """A million calls and more, nearly all in contexts of their own, take little more memory than none; and the same is drawn without a temporary file."""
    with tempfile.TemporaryDirectory() as tmp:
        path, small = Path(tmp) / "many.xdebug", Path(tmp) / "few.xdebug"
        for file, rounds in ((path, 120000), (small, 2)):
            with open(file, "w") as out:
                x = Xdebug(out)
                x.call("{main}", 10, [x.call(f"a{i % 300}", 3, [x.call(f"b{i % 401}", 5, [x.call(f"c{(i * 7 + k) % 503}", 11) for k in range(8)])]) for i in range(rounds)])
        least = peak("timeline", small)[0]
        for arguments in ((), ("--time", "10%..60%"), ("--svg",), ("--json",)):
            took, _ = peak("timeline", *arguments, path)
            tally.check(took < least + 40000, f"many calls, {' '.join(arguments) or 'text'}: memory", took, least)
        tally.equal(peak("timeline", "--json", path, TMPDIR="/nonexistent")[1], peak("timeline", "--json", path)[1], "many calls: without a temporary file")


def main():
    tally = Tally()
    check_long(tally)
    check_programs(tally)
    check_memory(tally)
    if has_shared():
        check_databases(tally)
        check_traces(tally)
    else:
        tally.skip("timelines", "no shared data")
    tally.finish()


if __name__ == "__main__":
    main()
