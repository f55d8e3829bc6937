"""What is in files, taken apart by plain Python that shares nothing with assay: the reckoning that answers in SQL are compared with."""
import gzip
import re
from collections import Counter


class Callgrind:
    """Self cost of one event by name, by function (object, file, name) and by line, and calls."""

    def __init__(self, path, event=0):
        names, self.functions, self.places, self.lines, self.calls = {}, Counter(), Counter(), Counter(), Counter()
        thing = file = function = callee = where = None
        line = 0
        in_call = False

        def name(kind, text):
            m = re.match(r"\((\d+)\)(?: (.*))?$", text)
            if not m:
                return text
            if m[2]:
                names[kind, m[1]] = m[2]
            return names[kind, m[1]]

        for text in path.read_text().splitlines():
            m = re.match(r"(fl|fi|fe|fn|cfn|cfi|cfl|ob|cob|calls)=(.*)", text)
            if m:
                key, value = m[1], m[2].strip()
                if key == "fn":
                    function, where = name("fn", value), file
                elif key == "fl":
                    file = where = name("fl", value)
                elif key in ("fi", "fe"):
                    where = name("fl", value)
                elif key == "cfn":
                    callee = name("fn", value)
                elif key in ("cfi", "cfl"):
                    name("fl", value)
                elif key == "ob":
                    thing = name("ob", value)
                elif key == "cob":
                    name("ob", value)
                elif key == "calls":
                    self.calls[function, callee] += int(value.split()[0])
                    in_call = True
                continue
            m = re.match(r"(\+|-|\*)?(\d+)?((?: \d+)*)$", text)
            if not m or not text or function is None:
                continue
            line = line if m[1] == "*" else line + int(m[2]) if m[1] == "+" else line - int(m[2]) if m[1] == "-" else int(m[2])
            costs = m[3].split()
            cost = int(costs[event]) if event < len(costs) else 0
            if in_call:
                in_call = False
                continue
            self.functions[function] += cost
            self.places[thing, file, function] += cost
            self.lines[where, line] += cost


def folded(stacks):
    """Self and total of each function."""
    own, total = Counter(), Counter()
    for stack, n in stacks.items():
        frames = stack.split(";")
        own[frames[-1]] += n
        for name in set(frames):
            total[name] += n
    return own, total


def gcov_hits(path):
    """Executions of each line that has code."""
    found = re.findall(r"^ *(\d+)\*?: *(\d+):", path.read_text(), re.M)
    return {int(line): int(hits) for hits, line in found if int(line)}


class Samples:
    """What `perf script` printed: (thread, command, nanoseconds, weight, function), the innermost function of each sample; and all functions of stacks."""

    def __init__(self, path):
        self.rows, self.functions = [], set()
        # a block of lines for each sample, or a line where there are no stacks
        for block in re.split(r"\n(?=[^\n]*\d\s+\d+\.\d{6}:)", path.read_text()):
            m = re.match(r"\s*(\S.*?)\s+(?:\d+/)?(\d+)\s+(\d+)\.(\d{6}):\s+(\d+) ([\w-]+):\s*(.*)", block, re.S)
            if m:
                stack = [re.sub(r"\+0x[0-9a-f]+$", "", line.split(maxsplit=1)[1].rsplit(" (", 1)[0]) for line in m[7].strip("\n").splitlines() if line.strip()]
                self.rows.append((int(m[2]), m[1], (int(m[3]) * 1000000 + int(m[4])) * 1000, int(m[5]), stack[0]))
                self.functions |= set(stack)

    def sums(self, *columns):
        out = Counter()
        for row in self.rows:
            out[tuple(row[c] for c in columns)] += row[3]
        return out


def fields(data):
    """Fields of a message of protobuf: number, and an integer or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift += 7
            at += 1
            if data[at - 1] < 128:
                return value
    while at < len(data):
        tag = varint()
        if tag & 7 == 2:
            size = varint()
            at += size
            yield tag >> 3, data[at - size:at]
        else:
            yield tag >> 3, varint()


def numbers(data):
    out, value, shift = [], 0, 0
    for b in data:
        value |= (b & 127) << shift
        shift = shift + 7 if b > 127 else 0
        if b < 128:
            out.append(value)
            value = 0
    return out


def label_costs(path, metric, key):
    """One value of each sample of profile.proto, summed up by a label that is text."""
    data = path.read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    top = list(fields(data))
    strings = [v.decode() for n, v in top if n == 6]
    place = [strings[dict(fields(v)).get(1, 0)] for n, v in top if n == 1].index(metric)
    cost = Counter()
    for number, sample in top:
        if number != 2:
            continue
        values, label = [], None
        for n, v in fields(sample):
            if n == 2:
                values += numbers(v) if isinstance(v, bytes) else [v]
            elif n == 3:
                one = dict(fields(v))
                label = strings[one[2]] if strings[one[1]] == key and 2 in one else label
        cost[label] += values[place]
    return cost
