#!/usr/bin/env python3
"""Makes corpus/hpcrun-measurements: directories as tests/formats/hpcrun/measurements.py writes them, in the form that fuzz_folder takes.

  corpus_measurements.py    (in this folder's place: writes beside itself)
"""
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "formats" / "hpcrun"))
import measurements as make  # noqa: E402

LOG = b"SUMMARY: samples: 100 (recorded: 90, blocked: 8, errant: 2, trolled: 0, yielded: 0),\n"


def parts(one, two, log=LOG, structure=make.STRUCTURE):
    return [one.bytes(), one.trace_bytes(), two.bytes() if two else b"", log, structure.encode()]


def pack(files):
    return b"".join(struct.pack("<I", len(f)) for f in files) + b"".join(files)


def main():
    out = HERE / "corpus" / "hpcrun-measurements"
    out.mkdir(parents=True, exist_ok=True)
    one, two = make.Profile(), make.Profile(thread=1)
    odd = make.Profile()
    odd.nodes += [(20, 4, 1, 0x2004), (22, 2, 1, 0x1000), (24, 22, 0, make.eight("GPUKernl"))]
    odd.modules.append((3, "vdso/none.vdso"))
    odd.trace.append((make.START, 999))
    gpu = make.Profile(thread=1)
    gpu.trace_flags = 4
    gpu.metrics[1] = ("INS", "other", 2, 100, 1, 0, "")
    for name, files in {"both": parts(one, two), "one": parts(one, None), "odd": parts(odd, gpu), "bare": parts(one, None, b"", ""),
                        "cut": [f[:len(f) // 2] for f in parts(one, two)], "no-structure": parts(one, two, structure="<HPC")}.items():
        (out / name).write_bytes(pack(files))


if __name__ == "__main__":
    main()
