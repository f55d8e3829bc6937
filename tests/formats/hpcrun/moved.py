#!/usr/bin/env python3
"""Measurement directories that were moved: the vdso, GPU and CPU binaries that they keep are found there. Addresses are those that nm tells."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import SKIP, Tally, assay, said  # noqa: E402
import measurements as make  # noqa: E402

OLD = "/gone/place/hpctoolkit-app-measurements"
EM_CUDA = 190


def compile_to(path, text, *options):
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cc", "-x", "c", "-O1", *options, "-o", str(path), "-"], input=text.encode(), check=True)
    return path


def address_of(path, name):
    text = subprocess.run(["nm", str(path)], capture_output=True, text=True, check=True).stdout
    return next(int(line.split()[0], 16) for line in text.splitlines() if line.endswith(" " + name))


def section_offset(path, name):
    text = subprocess.run(["readelf", "-SW", str(path)], capture_output=True, text=True, check=True).stdout
    return next(int(line.split("]", 1)[1].split()[3], 16) for line in text.splitlines() if f" {name} " in line)


def measure(folder, module, address):
    """A directory with one sample at the address of the module."""
    p = make.Profile()
    p.modules.append((3, module))
    p.nodes.append((17, 6, 3, address))
    p.values[17] = {0: 4.0}
    return make.write_all(folder, [p])


def hottest(folder, *options):
    result = assay("top", "--json", "--limit", "1", "--metric", "CPUTIME (sec)", "--foreign", *options, folder)
    rows = json.loads(result.stdout)["rows"] if result.returncode == 0 else []
    return rows[0]["name"] if rows else said(result)


def kept(tally, tmp):
    """By name in vdso and cpubins, by original-path anywhere."""
    library = compile_to(tmp / "lib.so", "int keep(void) { return 1; }\n", "-shared", "-fPIC")
    at = address_of(library, "keep")
    for label, module, place in (("vdso", f"{OLD}/vdso/12ab.vdso", "vdso/12ab.vdso"), ("GPU binary", f"{OLD}/gpubins/34cd.gpubin", "gpubins/34cd.gpubin"),
                                 ("CPU binary", "/gone/bin/libkeep.so", "cpubins/libkeep.so"), ("relative", "vdso/56.vdso", "vdso/56.vdso")):
        folder = measure(tmp / label, module, at)
        tally.equal(hottest(folder), f"{Path(module).name}+{at:#x}", f"{label}: not there")
        (folder / place).parent.mkdir()
        shutil.copy(library, folder / place)
        tally.equal(hottest(folder), "keep", f"{label}: found by name")
    folder = measure(tmp / "linked", "/gone/bin/libkeep.so", at)
    (folder / "cpubins").mkdir()
    os.symlink(library, folder / "cpubins" / "libkeep.so")
    tally.equal(hottest(folder), f"libkeep.so+{at:#x}", "a link leads out of the directory: not followed")
    folder = measure(tmp / "original", f"{OLD}/bin/libother.so", at)
    (folder / "bin").mkdir()
    shutil.copy(library, folder / "bin" / "libother.so")
    tally.equal(hottest(folder), f"libother.so+{at:#x}", "original-path: not there")
    (folder / "original-path").write_text(OLD + "\n")
    tally.equal(hottest(folder), "keep", "original-path: found")


def cuda(tally, tmp):
    """NVIDIA's binaries: a section for each kernel, all at address 0; measured by the place in the file."""
    cubin = compile_to(tmp / "k.o", "int one(void) { return 1; }\nint two(void) { return 2; }\n", "-c", "-ffunction-sections", "-g0")
    data = bytearray(cubin.read_bytes())
    data[18:20] = EM_CUDA.to_bytes(2, "little")
    at = section_offset(cubin, ".text.two")
    folder = measure(tmp / "cuda", f"{OLD}/gpubins/k.gpubin", at)
    (folder / "gpubins").mkdir()
    (folder / "gpubins" / "k.gpubin").write_bytes(data)
    tally.equal(hottest(folder), "two", "kernel by its place in the file")


def without_structures(tally, tmp):
    folder = make.write_all(tmp / "structs", [make.Profile()])
    tally.equal(hottest(folder), "small", "with the structure file")
    tally.equal(hottest(folder, "--no-structs"), "app+0x2014", "without it")
    for verb, *more in (["info"], ["tree"], ["callers", "app+0x2014"], ["flame"], ["timeline"], ["diff", folder], ["merge", folder, "--to", "folded"],
                        ["convert", "--to", "folded"]):
        result = assay(verb, "--no-structs", "--foreign", *more, folder)
        tally.check(result.returncode == 0 and b"main.c" not in result.stdout, f"{verb} --no-structs", said(result))
    result = assay("annotate", "--no-structs", "--foreign", folder)
    tally.check(result.returncode == 3 and b"lines" in result.stderr, "annotate --no-structs: nothing else knows lines", said(result))


def main():
    if not all(shutil.which(t) for t in ("cc", "nm", "readelf")):
        print("skipped: no cc, nm or readelf here")
        sys.exit(SKIP)
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        kept(tally, Path(tmp))
        cuda(tally, Path(tmp))
        without_structures(tally, Path(tmp))
    tally.finish()


if __name__ == "__main__":
    main()
