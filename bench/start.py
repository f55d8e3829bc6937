#!/usr/bin/env python3
"""What starting costs: CPU of `assay --version`, beside C programs that do nothing. Prints milliseconds, means and medians of many runs.

    bench/start.py [RUNS]     200, alternating
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EMPTY = "int main(void) { return 0; }\n"


def compiled(folder, name, *flags):
    source, program = os.path.join(folder, "empty.c"), os.path.join(folder, name)
    with open(source, "w", encoding="ascii") as file:
        file.write(EMPTY)
    subprocess.run(["cc", "-O2", "-o", program, source, *flags], check=True)
    return [program]


def once(argv, nowhere):
    """CPU seconds of one run."""
    child = os.posix_spawn(argv[0], argv, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)])
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit("%s failed" % argv[0])
    return usage.ru_utime + usage.ru_stime


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        programs = {"assay --version": [os.path.join(ROOT, "build", "src", "assay"), "--version"]}
        if shutil.which("cc"):
            programs["nothing"] = compiled(folder, "nothing")
            programs["nothing, with libm and zlib"] = compiled(folder, "libraries", "-Wl,--no-as-needed", "-lm", "-lz")
        seconds = {name: [] for name in programs}
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for _ in range(runs):
            for name, argv in programs.items():
                seconds[name].append(once(argv, nowhere))
        print("load %.1f" % os.getloadavg()[0])
        for name, values in seconds.items():
            print("%-28s mean %.2f ms, median %.2f, least %.2f" % (name, *(1e3 * x for x in (statistics.mean(values), statistics.median(values), min(values)))))


if __name__ == "__main__":
    main()
