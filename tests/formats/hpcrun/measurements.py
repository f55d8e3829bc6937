"""Writes measurement directories as HPCToolkit's hpcrun leaves them (profiles 04.00, traces 01.01), from a description in Python.

  measurements.py FOLDER        writes the fixture tests/data/app.m
  measurements.py --gpu FOLDER  writes the fixture tests/data/gpu.m

The layouts are those of docs/formats/hpcrun.md; nothing of assay is used.
"""
import struct
import sys
from pathlib import Path

APP, LIB = "/opt/app/bin/app", "/opt/app/lib/libnone.so"
START = 1700000000000000000

STRUCTURE = """<?xml version="1.0"?>
<HPCToolkitStructure i="0" version="4.9" n="">
<LM i="1" n="/opt/app/bin/app" has-calls="0" v="{}">
  <F i="2" n="/opt/app/src/main.c">
    <P i="3" n="main" l="10" v="{[0x1000-0x1001)}">
      <S i="4" l="11" v="{[0x1000-0x1010)}"/>
      <L i="5" l="12" f="/opt/app/src/main.c" v="{[0x1018-0x1019)}">
        <S i="6" l="13" v="{[0x1010-0x1020)}"/>
      </L>
    </P>
    <P i="7" n="work" l="30" v="{[0x2000-0x2001)}">
      <S i="8" l="31" v="{[0x2000-0x2010)}"/>
      <A i="9" l="32" f="/opt/app/src/main.c">
        <A i="10" l="5" f="/opt/app/src/small.h" n="small">
          <S i="11" l="6" v="{[0x2010-0x2020)}"/>
        </A>
      </A>
    </P>
  </F>
</LM>
</HPCToolkitStructure>
"""


def text(value):
    data = value.encode()
    return struct.pack(">I", len(data)) + data


def eight(value):
    return int.from_bytes(value.encode(), "big")


class Profile:
    """One thread. `nodes`: (id, parent, module, address); `values`: {node: {metric: value}}; `trace`: (time, node); `lost`:
    nodes whose call path is not known."""

    def __init__(self, rank=0, thread=0, host=0x0A0B, pid=77, program="app"):
        self.rank, self.thread, self.host, self.pid, self.program = rank, thread, host, pid, program
        self.modules = [(1, APP), (2, LIB)]
        self.metrics = [("CPUTIME (sec)", "processor time", 2, 1, 0, 1, ""), ("INS", "instructions", 1, 100, 0, 1, "")]
        top = "| Thread" if thread else "| Main  "
        self.nodes = [(2, 0, 0, eight("^Primary")), (3, 2, 0, eight("NoActvty")), (4, 2, 0, eight("^Partial")), (6, 2, 0, eight(top)),
                      (8, 6, 1, 0x1012), (11, 8, 1, 0x2004), (13, 8, 1, 0x2014), (15, 6, 2, 0x40)]
        self.values = {11: {0: 0.5, 1: 3}, 13: {0: 1.5}, 15: {0: 0.25, 1: 1}}
        self.trace = [(START, 3), (START + 5, 11), (START + 9, 13), (START + 12, 15)]
        self.trace_flags, self.disorder, self.lost = 0, 0, set()

    def stem(self):
        return f"{self.program}-{self.rank:06d}-{self.thread:03d}-{self.host:08x}-{self.pid}-0"

    def header(self):
        times = [t for t, _ in self.trace or [(0, 0)]]
        pairs = [("program-name", self.program), ("program-path", APP), ("env-path", "/bin"), ("job-id", ""), ("mpi-rank", str(self.rank)),
                 ("thread-id", str(self.thread)), ("host-id", f"{self.host:x}"), ("process-id", str(self.pid)),
                 ("trace-min-time", str(min(times))), ("trace-max-time", str(max(times))), ("trace-disorder", str(self.disorder))]
        return b"HPCRUN-profile____04.00b" + struct.pack(">I", len(pairs)) + b"".join(text(k) + text(v) for k, v in pairs)

    def metric_table(self):
        out = struct.pack(">I", len(self.metrics))
        for name, description, form, period, move, show, formula in self.metrics:
            flags = bytes([1, 0, form, move, 0, 0, show, 1]) + bytes(8)
            out += text(name) + text(description) + flags + struct.pack(">Q", period) + text(formula) + text("") + struct.pack(">HHdQ", 0, 0, 0.0, 0)
        return out

    def sparse(self):
        elements = [(1 | 1 << 14, self.host, 0), (2 | 3 << 14, 0, self.rank), (3 | 3 << 14, 0, self.thread)]
        out = struct.pack(">H", len(elements)) + b"".join(struct.pack(">HQQ", *e) for e in elements)
        cells, index = b"", b""
        count = nodes = 0
        for node, _, _, _ in self.nodes:
            row = self.values.get(node, {})
            index += struct.pack(">IQ", node, count) if row else b""
            nodes += bool(row)
            for metric, value in row.items():
                cells += struct.pack(">dH" if self.metrics[metric][2] == 2 else ">QH", value, metric)
                count += 1
        return out + struct.pack(">QI", count, nodes) + cells + index + struct.pack(">IQ", 0x656E6421, count)

    def sections(self):
        kinds = ["SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE"]
        return [self.header(),
                struct.pack(">I", len(self.modules)) + b"".join(struct.pack(">H", i) + text(p) + struct.pack(">Q", 1) for i, p in self.modules),
                struct.pack(">Q", len(self.nodes)) + b"".join(struct.pack(">IIHQB", *n, n[0] not in self.lost) for n in self.nodes),
                self.metric_table(),
                struct.pack(">H", len(kinds)) + b"".join(struct.pack(">H", i) + text(k) for i, k in enumerate(kinds)),
                self.sparse()]

    def bytes(self):
        out, footer = b"", []
        for section in self.sections():
            footer += [len(out), len(out) + len(section)]
            out += section + bytes(-len(section) % 1024)
        return out + struct.pack(">13Q", *footer, len(out)) + b"HPCRUNsm"

    def trace_bytes(self):
        return b"HPCRUN-trace______01.01b" + struct.pack(">Q", self.trace_flags) + b"".join(struct.pack(">QI", *t) for t in self.trace)

    def write(self, folder):
        Path(folder, self.stem() + ".hpcrun").write_bytes(self.bytes())
        if self.trace:
            Path(folder, self.stem() + ".hpctrace").write_bytes(self.trace_bytes())


def write_all(folder, profiles, structure=STRUCTURE):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for p in profiles:
        p.write(folder)
    if structure:
        (folder / "structs").mkdir(exist_ok=True)
        (folder / "structs" / "app.hpcstruct").write_text(structure)
    return folder


GPU = "/opt/app/gpu.bin"
KERNEL = """<?xml version="1.0"?>
<HPCToolkitStructure i="0" version="4.9" n="">
<LM i="1" n="/opt/app/gpu.bin" has-calls="1" v="{}">
  <F i="2" n="/opt/app/src/k.cu">
    %s
  </F>
</LM>
</HPCToolkitStructure>
"""


def procedure(number, name, calls):
    """A function of 256 bytes; calls: (offset, number of the callee)."""
    at = number * 0x100
    sites = "".join(f'<C i="0" l="{at + offset}" v="{{[{at + offset:#x}-{at + offset + 16:#x})}}" t="{callee * 0x100:#x}" d="x"/>' for offset, callee in calls)
    free, begin = [], 0
    for offset in sorted(o for o, _ in calls) + [256]:
        free.append((at + begin, at + offset))
        begin = offset + 16
    lines = "".join(f'<S i="0" l="{x}" v="{{[{x:#x}-{y:#x})}}"/>' for x, y in free if x < y)
    return f'<P i="0" n="{name}" l="{number}" v="{{[{at:#x}-{at + 1:#x})}}">{sites}{lines}</P>'


def write_kernel(folder, procedures, samples, launched=10, seen=5):
    """A kernel (function 1) that was launched `launched` times, of which `seen` were sampled; samples: {address: instructions}."""
    p = Profile()
    p.modules.append((3, GPU))
    p.metrics += [("GINS", "", 1, 1, 0, 1, ""), ("GKER:COUNT", "", 1, 1, 0, 1, ""), ("GKER:SAMPLED_COUNT", "", 1, 1, 0, 1, "")]
    p.nodes += [(40, 8, 0, eight("GPUKernl")), (41, 40, 3, 0x100)]
    p.values[41] = {3: launched, 4: seen}
    for i, (address, count) in enumerate(samples.items()):
        p.nodes.append((50 + i, 40, 3, address))
        p.values[50 + i] = {2: count}
        p.lost.add(50 + i)
    write_all(folder, [p])
    (Path(folder) / "structs" / "gpu.hpcstruct").write_text(KERNEL % "".join(procedures))
    return Path(folder)


if __name__ == "__main__":
    if sys.argv[1] == "--gpu":
        write_kernel(sys.argv[2], [procedure(1, "kernel", [(0x10, 2), (0x20, 3)]), procedure(2, "f", [(0x10, 3), (0x20, 4)]), procedure(3, "g", [(0x10, 2), (0x20, 4)]),
                                   procedure(4, "leaf", [])], {0x210: 3, 0x320: 1, 0x400: 12, 0x404: 1})
    else:
        write_all(sys.argv[1], [Profile(), Profile(thread=1)])
