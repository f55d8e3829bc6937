"""Writes a run of eight ranks as assay-json: ranks.py OUT. Figures of the cases are worked out from what stands here.

time (ns):  main 0, calls solve: 100 on each rank, but 180 on rank 5; exchange: 20 on each; io: 60 on rank 0 alone.
ops:        solve 50 on each rank, exchange 10 on each.
Rank 2 has two threads, which share its solve: 70 and 30."""
import json
import sys

FUNCTIONS = ["main", "solve", "exchange", "io"]


def rows():
    """(rank, thread, function, time, ops)"""
    for rank in range(8):
        parts = [(0, 70, 35), (1, 30, 15)] if rank == 2 else [(0, 180 if rank == 5 else 100, 50)]
        for thread, time, ops in parts:
            yield rank, thread, "solve", time, ops
        yield rank, 0, "exchange", 20, 10
    yield 0, 0, "io", 60, 0


streams, values = [], []
for rank, thread, function, time, ops in rows():
    if (rank, thread) not in streams:
        streams.append((rank, thread))
    for scope, value in ((1, time), (2, ops)):
        if value:
            values.append({"stream": streams.index((rank, thread)) + 1, "context": FUNCTIONS.index(function) + 1, "scope": scope, "value": value})
json.dump({
    "assay-json": 1,
    "metrics": [{"name": "time", "unit": "ns"}, {"name": "ops", "unit": "count"}],
    "scopes": [{"metric": 1, "kind": "point"}, {"metric": 2, "kind": "point"}],
    "streams": [{"tuple": [{"kind": "NODE", "logical": rank // 4}, {"kind": "RANK", "logical": rank}, {"kind": "THREAD", "logical": thread}]} for rank, thread in streams],
    "files": [{"path": "app.c"}],
    "functions": [{"name": name, "file": 1, "line": 10 * (i + 1)} for i, name in enumerate(FUNCTIONS)],
    "contexts": [{"kind": "function", "function": 1}] + [{"kind": "function", "relation": "call", "function": i, "parent": 1} for i in range(2, 5)],
    "values": sorted(values, key=lambda v: (v["stream"], v["context"], v["scope"])),
}, open(sys.argv[1], "w"))
