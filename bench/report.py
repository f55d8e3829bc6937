"""Figures of the bench as aligned text, and as tables in bench/README.md."""
import os
import platform
import subprocess
import time

TIMES = ("job", "input MB", "CPU s", "wall s", "MB/s", "peak MB", "peer", "peer MB/s", "ratio", "target")
COUNTS = ("job", "input MB", "instructions/byte", "at most", "peer", "peer's/byte", "ratio")
LEFT = ("job", "peer", "target")


def machine(assay, command, made):
    """What the figures belong to. Raises OSError where the command cannot be run."""
    version = subprocess.run([assay, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")
    return {"assay_bench": 1, "date": time.strftime("%Y-%m-%d"), "command": command, "version": ", ".join(line for line in version if line),
            "machine": "%s, %d cores, %.0f GB, Linux %s" % (cpu_name(), len(os.sched_getaffinity(0)), memory_gb(), platform.release()),
            "load": os.getloadavg()[0], "maker": made.maker_name()}


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
        names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    return names[0] if names else platform.machine()


def memory_gb():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


# ---- rows ----


def number(value, digits):
    return "" if value is None else "%.*f" % (digits, value)


def ratio(value):
    return "" if value is None else ("%.0fx" if value >= 20 else "%.1fx" if value >= 2 else "%.2fx") % value


def verdict(targets):
    return "; ".join("%s: %s" % (t["target"], "met" if t["met"] else "MISSED") for t in targets)


def peer_cells(peer):
    name = peer["peer"] + (" (%s)" % peer["note"] if "note" in peer else "")
    return [name, number(peer.get("mb_s"), 1), ratio(peer.get("ratio"))]


def time_rows(result):
    for row in result["jobs"]:
        by_wall = " (wall)" if row["clock"] == "wall" else ""
        cells = [row["job"], number(row["input_mb"], 1), number(row["cpu_s"], 3), number(row["wall_s"], 3), number(row["mb_s"], 0) + by_wall,
                 number(row["peak_anon_mb"], 1)]
        peers = [peer_cells(peer) for peer in row["peers"]] or [["", "", ""]]
        yield cells + peers[0] + [verdict(row["targets"])]
        for more in peers[1:]:
            yield [""] * len(cells) + more + [""]


def count_rows(result):
    for row in result["instructions"]:
        cells = [row["job"], number(row["input_mb"], 2), number(row["per_byte"], 2), "%d" % row["most"] if row["most"] else ""]
        peers = [[p["peer"], number(p["per_byte"], 2), ratio(p["ratio"])] for p in row["peers"]] or [["", "", ""]]
        yield cells + peers[0]
        for more in peers[1:]:
            yield [""] * len(cells) + more


# ---- text ----


def print_table(head, rows, file):
    rows = [list(head)] + list(rows)
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        cells = (cell.ljust(width) if name in LEFT else cell.rjust(width) for cell, width, name in zip(row, widths, head))
        print("  ".join(cells).rstrip(), file=file)


def print_times(result, file):
    print("\n%s\n%s\ninputs by %s, load %.1f\n" % (result["machine"], result["version"], result["maker"], result["load"]), file=file)
    print_table(TIMES, time_rows(result), file)


def print_instructions(result, file):
    print(file=file)
    print_table(COUNTS, count_rows(result), file)


# ---- bench/README.md ----


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("---" if name in LEFT else "---:" for name in head) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def between(text, name, middle):
    """Puts `middle` between the two marks of this name."""
    begin, end = "<!-- %s: begin -->\n" % name, "<!-- %s: end -->\n" % name
    head, found, rest = text.partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError("bench/README.md has no marks for %s" % name)
    return head + begin + middle + end + tail


def write_readme(path, result):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    origin = "%s, `%s`, load %.1f at the start, inputs by %s.  \n%s.  \n%s.\n\n" % (
        result["date"], result["command"], result["load"], result["maker"], result["machine"], result["version"])
    text = between(text, "times", origin + markdown(TIMES, time_rows(result)))
    text = between(text, "instructions", markdown(COUNTS, count_rows(result)))
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".part", path)
