#!/usr/bin/env python3
"""examples/measure writes a profile and reads it again: what it prints, and the bytes, are those of the specification, compressed here by hand."""
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import Tally  # noqa: E402

TEXT = """HPCRUN____
[hdr:
  (version: 02.00)
  (endian: l)
  [nv-pair: 'program-name', 'demo']
  [nv-pair: 'process-id', '4711']
]
[epoch-hdr: (flags: 0x0) (ra-distance: 1) (granularity: 1)
]
[metric-tbl: (num-entries: 1)
  [(nm: CYCLES) (flags: 0x2) (period: 1000)]
]
[loadmap: (num-entries: 1)
  [(load-addr: 0x400000) (load-offset: 0x0) (nm: /usr/bin/demo) (flg: 0x0)]
]
[cct: (num-nodes: 4)
  [node: (id: 2) (id-parent: 0) (ip: 0x0) (metrics: 0)]
  [node: (id: 4) (id-parent: 2) (ip: 0x401136) (metrics: 1)]
  [node: (id: -6) (id-parent: 4) (ip: 0x40113a) (metrics: 17)]
  [node: (id: -8) (id-parent: 4) (ip: 0x401142) (metrics: 5)]
]
cost of all nodes: 23000
"""


def text(s):
    return struct.pack("<I", len(s)) + s


def expected():
    out = b"HPCRUN____02.00l" + struct.pack("<I", 2) + text(b"program-name") + text(b"demo") + text(b"process-id") + text(b"4711") + struct.pack("<I", 1)
    out += b"EPOCH___" + struct.pack("<QIQI", 0, 1, 1, 0)
    out += struct.pack("<I", 1) + text(b"CYCLES") + struct.pack("<QQ", 2, 1000)
    out += struct.pack("<IQQ", 1, 0x400000, 0) + text(b"/usr/bin/demo") + struct.pack("<I", 0)
    out += struct.pack("<I", 4)
    for node in ((2, 0, 0, 0), (4, 2, 0x401136, 1), (-6, 4, 0x40113A, 17), (-8, 4, 0x401142, 5)):
        out += struct.pack("<iiQQ", *node)
    return out


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "demo.hpcrun")
        result = subprocess.run([sys.argv[1], path], capture_output=True, text=True, timeout=60)
        tally.check(result.returncode == 0, "the example runs", result.stderr)
        tally.check(result.stdout == TEXT, "it prints what it wrote", result.stdout)
        tally.check(Path(path).read_bytes() == expected(), "the bytes are those of the specification")
        full = subprocess.run([sys.argv[1], "/dev/full"], capture_output=True, text=True, timeout=60)
        tally.check(full.returncode == 1, "a full disk is an error")
    tally.finish()


if __name__ == "__main__":
    main()
