"""Writes a run on some ranks as assay-json: runs.py OUT strong|weak RANKS. Of all R ranks together (ns):

strong: compute 1600, exchange 10 R, setup 5 R                 R = 4: 1660    R = 16: 1840    R = 64: 2560
weak:   compute 100 R, exchange 10 R log2 R, setup 0           R = 4:  480    R = 16: 2240    R = 64: 10240"""
import json
import math
import sys

out, kind, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
cost = ([1600 // ranks, 10, 5] if kind == "strong" else [100, 10 * int(math.log2(ranks)), 0])
values = [{"stream": r + 1, "context": c + 2, "scope": 1, "value": v} for r in range(ranks) for c, v in enumerate(cost) if v]
json.dump({
    "assay-json": 1,
    "metrics": [{"name": "time", "unit": "ns"}],
    "scopes": [{"metric": 1, "kind": "point"}],
    "streams": [{"tuple": [{"kind": "RANK", "logical": r}]} for r in range(ranks)],
    "files": [{"path": "app.c"}],
    "functions": [{"name": n, "file": 1, "line": 10 * (i + 1)} for i, n in enumerate(["main", "compute", "exchange", "setup"])],
    "contexts": [{"kind": "function", "function": 1}] + [{"kind": "function", "relation": "call", "function": i, "parent": 1} for i in range(2, 5)],
    "values": values,
}, open(out, "w"))
