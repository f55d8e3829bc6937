#!/usr/bin/env python3
"""Contexts that hpcprof keeps apart stay apart in databases: placeholders of one name (GPUKernl and GPUTrace are both <gpu kernel>), always;
inlined copies of one function, with --compat. What is expected follows from the nodes of the measurements, which this test writes."""
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hpcrun"))
from support import Tally, assay, said  # noqa: E402
import measurements as make  # noqa: E402

KERNEL = "<gpu kernel>"
# `small` is inlined twice at one line: two A of a structure file.
TWICE = make.STRUCTURE.replace('<S i="11" l="6" v="{[0x2010-0x2020)}"/>\n        </A>\n      </A>',
                               '<S i="11" l="6" v="{[0x2010-0x2020)}"/>\n        </A>\n      </A>\n      <A i="12" l="32" f="/opt/app/src/main.c">\n        '
                               '<A i="13" l="5" f="/opt/app/src/small.h" n="small">\n          <S i="14" l="6" v="{[0x2020-0x2030)}"/>\n        </A>\n      </A>')


def convert(tally, source, target, *options):
    result = assay("convert", source, "--to", "hpcdb", "-o", target, "--foreign", *options)
    tally.check(result.returncode == 0, f"converts {' '.join(options)}", said(result))
    text = assay("dump", target).stdout.decode()
    functions = {m[1]: m[2] for m in re.finditer(r'^meta\.db 0*([0-9a-f]+)\s+FS\[\d+\] pName=\S+ "([^"]*)"', text, re.M)}
    contexts = [(int(m[1]), m[2].lstrip("0")) for m in re.finditer(r"Ctx .*ctxId=(\d+) .*pFunction=0x([0-9a-f]+)", text)]
    samples = [int(m[1]) for m in re.finditer(r"Elem timestamp=\d+ ctxId=(\d+)", text)]
    return functions, contexts, samples, text


def of_name(functions, contexts, name):
    return [(context, function) for context, function in contexts if functions[function] == name]


def placeholders(tally, tmp):
    p = make.Profile()
    p.nodes += [(21, 8, 0, make.eight("GPUKernl")), (23, 8, 0, make.eight("GPUTrace"))]
    p.values.update({21: {1: 5}, 23: {1: 7}})
    p.trace = [(make.START, 21), (make.START + 5, 23), (make.START + 9, 21)]
    folder = make.write_all(tmp / "gpu.m", [p])
    functions, contexts, samples, _ = convert(tally, folder, tmp / "gpu.d")
    kernels = of_name(functions, contexts, KERNEL)
    tally.equal(len(kernels), 2, "two siblings")
    tally.equal(len({f for _, f in kernels}), 1, "of one function")
    tally.check(len(samples) == 3 and {samples[0], samples[1]} == {c for c, _ in kernels} and samples[2] == samples[0], "samples point at their own context", samples, kernels)
    rows = assay("top", "--csv", "--metric", "INS", "--limit", "0", folder).stdout.decode()
    tally.equal(rows.count(KERNEL), 1, "and one row of top")
    functions, contexts, _, text = convert(tally, folder, tmp / "compat.d", "--compat")
    tally.equal(len({f for _, f in of_name(functions, contexts, KERNEL)}), 2, "--compat: a function each")
    tally.check('pDescription=' in text and '"TODO database description"' in text, "--compat: hpcprof's description")
    again = convert(tally, tmp / "gpu.d", tmp / "again.d")
    tally.equal(len(of_name(again[0], again[1], KERNEL)), 2, "read and written again: still two")


def inlined(tally, tmp):
    p = make.Profile()
    p.nodes.append((17, 8, 1, 0x2024))
    p.values[17] = {0: 1.0}
    folder = make.write_all(tmp / "inlined.m", [p], TWICE)
    for options, count in (((), 1), (("--compat",), 2)):
        functions, contexts, _, _ = convert(tally, folder, tmp / "inlined.d", *options)
        small = of_name(functions, contexts, "small")
        tally.equal(len({f for _, f in small}), count, f"functions of the inlined copies {' '.join(options)}")
        tally.equal(len(small), count, f"contexts of the inlined copies {' '.join(options)}")


def tuples(tally, tmp):
    """The physical number stands beside the logical one, which alone tells threads apart here."""
    p = make.Profile(thread=3)
    _, _, _, text = convert(tally, make.write_all(tmp / "tuple.m", [p]), tmp / "tuple.d")
    ids = re.findall(r"Id\[\d\] kind=(\d+) flags=(\S+) logicalId=(\d+) physicalId=(\S+)", text)
    tally.equal([tuple(int(x, 0) for x in i) for i in ids], [(1, 1, 0, 0x0A0B), (2, 0, 0, 0), (3, 0, 3, 0)], "id tuple as measured")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        placeholders(tally, Path(tmp))
        inlined(tally, Path(tmp))
        tuples(tally, Path(tmp))
    tally.finish()


if __name__ == "__main__":
    main()
