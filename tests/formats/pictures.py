#!/usr/bin/env python3
"""What is written as dot, mermaid and csv: Graphviz takes it and finds the same figures, names are text and nothing else, the table is that of `top`.

Mermaid is checked by a grammar of what may be written, line by line: nothing but entities, harmless characters and the line breaks of ours between quotes.
"""
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, run, said  # noqa: E402

HOSTILE = [b'"; n1 -> n2 [label="x"] //', b"back\\", b"\\N\\G\\l", b"<b>bold</b>", b"<script>alert(1)</script>", b"&lt;&#34;", b"a\x01\x1b[31mb\x7f", b"no \xff\xfe UTF-8",
           "größe 函数".encode(), b"`code` **x** %%{init}%% end", b"n1[\"x\"]:::h1", b"1. list", b"- list", b"|pipe|; subgraph #35; end", b"x" * 500, b"{record|<p>}"]
TEXT = r"(?:[^\x00-\x1f\x7f\"#&<>`%{}|\\;$*_\[\]()~^@'=]|#\d+;)*"
LABEL = rf"\"{TEXT}(?:<br/>{TEXT})*\""
MERMAID = re.compile(rf"^(?:flowchart TD|    (?:n\d+|caption)\[{LABEL}\]:::\w+|    n\d+ -->\|{LABEL}\| n\d+|    subgraph c\d+\[{LABEL}\]|    end"
                     r"|    classDef \w+ fill:[#\w]+,stroke:[#\w]+,color:#\w+)$")


def hostile_file(path):
    lines = [b"# callgrind format", b"events: Ir", b"fl=a.c"]
    for i, name in enumerate(HOSTILE):
        lines += [b"fn=" + name, b"%d 100" % (i + 1)]
        if i + 1 < len(HOSTILE):
            lines += [b"cfn=" + HOSTILE[i + 1], b"calls=1 1", b"%d 50" % (i + 1)]
    path.write_bytes(b"\n".join(lines) + b"\n")


def samples(tmp):
    hostile_file(tmp / "hostile.callgrind")
    found = [tmp / "hostile.callgrind", *(FIXTURES / n for n in ("demo.callgrind", "demo.xdebug", "demo.nytprof", "demo.folded", "app.m"))]
    if has_shared():
        found += [SHARED / "data" / "callgrind" / n for n in ("edge-cycle.callgrind", "edge-recursion.callgrind", "edge-negative.callgrind")]
    return found


def convert(tally, path, to, out, *options):
    result = assay("convert", path, "--to", to, "-o", out, *options)
    return tally.check(result.returncode == 0, f"{path.name}: converts to {to}", said(result))


def check_dot(tally, path, out):
    """Graphviz reads it without a word, and has a node for each function and an edge for each pair that calls."""
    if not shutil.which("dot"):
        tally.skip(f"{path.name}: dot", "Graphviz is not installed")
        return
    result = run("dot", "-Tdot_json", out)
    if not tally.check(result.returncode == 0 and not result.stderr, f"{path.name}: Graphviz takes it", said(result)):
        return
    graph = json.loads(result.stdout)
    nodes = [o for o in graph.get("objects", []) if o["name"].startswith("n")]
    rows = json.loads(assay("top", "--json", "--limit", "0", path).stdout.decode("utf-8", "surrogatepass"))["rows"]
    tally.equal(len(nodes), len(rows), f"{path.name}: a box for each function")
    answer = json.loads(assay("callers", "--json", "--limit", "0", "--callees", "--", "", path).stdout.decode("utf-8", "surrogatepass"))
    ours = {r["name"] for r in rows}
    pairs = sum(1 for r in answer["rows"] for c in r["callees"] if c["name"] in ours)
    tally.equal(len(graph.get("edges", [])), pairs, f"{path.name}: an arrow for each pair that calls")


def check_hostile(tally, out):
    """Every name comes out of Graphviz as it is shown on a terminal, in the tooltip whole."""
    if not shutil.which("dot"):
        return
    tips = {o["tooltip"].split("  a.c")[0] for o in json.loads(run("dot", "-Tdot_json", out).stdout)["objects"]}
    for name in HOSTILE:
        shown = re.sub(rb"[\x00-\x1f\x7f\xfe\xff]", lambda m: b"\\x%02x" % m.group()[0], name).decode()
        kept = shown.replace("\\", "\\\\").replace("&", "&amp;")
        tally.check({t.lower() for t in tips} & {kept.lower()}, f"name {name!r} is text", kept, *sorted(tips))


def check_mermaid(tally, path, out):
    text = out.read_text(encoding="utf-8")
    bad = [line for line in text.split("\n")[:-1] if not MERMAID.match(line)]
    tally.check(not bad, f"{path.name}: mermaid lines", *bad[:5])
    depth = [line.strip().split()[0] for line in text.split("\n") if line.strip().split()[:1] in (["subgraph"], ["end"])]
    tally.check(depth == ["subgraph", "end"] * (len(depth) // 2), f"{path.name}: subgraphs end", depth)
    tally.check(len(text) <= 50000 and text.count("-->") <= 500, f"{path.name}: small enough for GitHub", len(text))


def check_csv(tally, path, out):
    tally.equal(out.read_bytes(), assay("top", "--csv", "--limit", "0", path).stdout, f"{path.name}: csv is what top prints")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        for path in samples(tmp):
            if convert(tally, path, "dot", tmp / "o.dot", "--min", "0"):
                check_dot(tally, path, tmp / "o.dot")
            if path.name == "hostile.callgrind":
                check_hostile(tally, tmp / "o.dot")
            if convert(tally, path, "mermaid", tmp / "o.mmd", "--min", "0"):
                check_mermaid(tally, path, tmp / "o.mmd")
            if convert(tally, path, "csv", tmp / "o.csv"):
                check_csv(tally, path, tmp / "o.csv")
    tally.finish()


if __name__ == "__main__":
    main()
