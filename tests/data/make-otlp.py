#!/usr/bin/env python3
"""Writes demo.otlp-profiles (binary) and demo.otlp-profiles.json, and small files of every layout for the fuzz corpus, with an encoder of its own.

    make-otlp.py FOLDER
    make-otlp.py --corpus FOLDER

A message is a list of (field, value): bytes and text are length-delimited, lists are packed, tuples ("fixed", n) have 64 bits."""
import json
import struct
import sys
from pathlib import Path

START = 1700000000000000000
TRACE, SPAN = bytes(range(1, 17)), bytes(range(17, 25))


def varint(v):
    v &= (1 << 64) - 1
    out = bytearray()
    while v >= 0x80:
        out.append(v & 0x7F | 0x80)
        v >>= 7
    return bytes(out) + bytes([v])


def one(field, v):
    if isinstance(v, int):
        return varint(field << 3) + varint(v)
    if isinstance(v, tuple):
        return varint(field << 3 | 1) + struct.pack("<Q", v[1])
    if isinstance(v, list):
        v = b"".join(struct.pack("<Q", x[1]) if isinstance(x, tuple) else varint(x) for x in v)
    if isinstance(v, str):
        v = v.encode()
    return varint(field << 3 | 2) + varint(len(v)) + v


def message(*fields):
    return b"".join(one(field, v) for field, v in fields)


def text_value(s):
    return message((1, s))


def int_value(n):
    return message((3, n))


STRINGS = ["", "cpu", "nanoseconds", "samples", "count", "main", "serve", "/src/shop.c", "/usr/bin/shop", "thread.id", "thread.name", "http.route",
           "process.executable.build_id.gnu", "off_cpu", "bytes", "body"]


def resource():
    attributes = [("service.name", text_value("shop")), ("process.pid", int_value(1200)), ("host.name", text_value("web1"))]
    return message(*((1, message((1, key), (2, value))) for key, value in attributes))


def new_dictionary(first=None):
    mappings = [b"", message((1, 0x400000), (2, 0x500000), (4, 8), (5, [5]))]
    locations = [b"", message((1, 1), (2, 0x400100), (3, message((1, 1), (2, 12)))), message((1, 1), (2, 0x400200), (3, message((1, 2), (2, 31))), (3, message((1, 1), (2, 14)))),
                 message((1, 1), (2, 0x400300))]
    functions = [b"", message((1, 5), (2, 5), (3, 7), (4, 10)), message((1, 6), (3, 7), (4, 30))]
    links = [message((1, bytes(16)), (2, bytes(8))), message((1, TRACE), (2, SPAN))]
    attributes = [b"", message((1, 9), (2, int_value(7))), message((1, 10), (2, text_value("worker"))), message((1, 11), (2, text_value("/cart"))),
                  message((1, 15), (2, int_value(4096)), (3, 14)), message((1, 12), (2, text_value("0123abcd")))]
    stacks = [b"", message((1, [2, 1])), message((1, [3, 1])), message((1, [1]))]
    tables = [mappings, locations, functions, links, first or STRINGS, attributes, stacks]
    return message(*((number + 1, row) for number, rows in enumerate(tables) for row in rows))


def new_sample(layout, stack, values, attributes=(), link=0, times=()):
    numbers = {"1.10": (2, 3, 4)}.get(layout, (3, 4, 2))
    fields = [(1, stack)] if stack else []
    fields += sorted([(numbers[0], list(attributes))] * bool(attributes) + [(numbers[1], link)] * bool(link) + [(numbers[2], list(values))] * bool(values))
    return message(*fields, *([(5, [("fixed", t) for t in times])] if times else []))


def new(layout="1.10", dictionary_first=False):
    on_cpu = [new_sample(layout, 1, [], (1, 2, 3), 1, (START + 1, START + 5, START + 9)), new_sample(layout, 2, [], (1, 2), 0, (START + 7,))]
    off_cpu = [new_sample(layout, 3, [500, 700], (1, 2, 4), 0, (START + 2, START + 6)), new_sample(layout, 1, [300], (), 0, (START + 20,))]
    plain = [new_sample(layout, 1, [3], (3,)), new_sample(layout, 2, [-1], ())]
    number = 8 if layout == "1.8" else 7
    shape = lambda type, unit, samples, id: message((1, message((1, type), (2, unit))), *((2, s) for s in samples), (3, ("fixed", START)), (4, 100), (5, message((1, 1), (2, 2))),
                                                (6, 10000000), (number, bytes(range(id, id + 16))))
    scope = message((1, message((1, "profiler"), (2, "1.2"))), (2, shape(3, 4, on_cpu, 1)), (2, shape(13, 2, off_cpu, 2)))
    other = message((2, shape(3, 4, plain, 3)))
    profiles = [(1, message((1, resource()), (2, scope))), (1, message((2, other)))]
    tables = [(2, new_dictionary())]
    return message(*(tables + profiles if dictionary_first else profiles + tables))


def old(layout):
    """Two sample types in one profile; stacks are slices of location_indices; entry 0 of a table is an entry like others."""
    is_13 = layout == "1.3"
    if is_13:
        mappings = [message((1, 1), (2, 0x400000), (3, 0x500000), (5, 8), (6, 14))]
        locations = [message((1, 1), (3, 0x400100), (4, message((2, 12)))), message((1, 2), (3, 0x400300))]
        functions = [message((1, 1), (2, 5), (4, 7), (5, 10))]
        samples = [message((2, [2, 20]), (7, 0), (8, 2), (10, [0]), (13, [START + 1, START + 2])), message((2, [1, 10]), (7, 1), (8, 1))]
    else:
        mappings = [message((1, 0x400000), (2, 0x500000), (4, 8))]
        locations = [message((1, 0), (2, 0x400100), (3, message((1, 0), (2, 12)))), message((2, 0x400300))]
        functions = [message((1, 5), (3, 7), (4, 10))]
        samples = [message((1, 0), (2, 2), (3, [2, 20]), (4, [0]), (5, 0), (6, [START + 1, START + 2])), message((1, 1), (2, 1), (3, [1, 10]))]
    attributes = [message((1, "http.route"), (2, text_value("/cart")))]
    units = [message((1, 11), (2, 14))]
    links = [message((1, TRACE), (2, SPAN))]
    types = [(1, message((1, 3), (2, 4))), (1, message((1, 1), (2, 2)))]
    rows = lambda number, list_: [(number, row) for row in list_]
    tables = lambda first: sum((rows(first + i, t) for i, t in enumerate([mappings, locations, functions, links, STRINGS, attributes, units])), [])
    data = []
    if is_13:
        inner = types + rows(2, samples) + rows(3, mappings) + rows(4, locations) + rows(5, functions) + rows(6, STRINGS)
        inner += [(9, START), (10, 100), (11, types[1][1]), (12, 5), (14, 3), (15, [1, 0])] + rows(16, attributes) + rows(17, units) + rows(18, links)
        profile = message((1, bytes(range(16))), (2, ("fixed", START)), (3, ("fixed", START + 100)), (8, message(*inner)))
    elif layout == "1.4":
        inner = types + rows(2, samples) + rows(3, mappings) + rows(4, locations) + [(5, [1, 0])] + rows(6, functions) + rows(7, attributes) + rows(8, units)
        profile = message(*inner, *rows(9, links), *rows(10, STRINGS), (11, START), (12, 100), (16, 3))
    else:
        profile = message(*types, *rows(2, samples), (3, [1, 0]), (4, START), (5, 100), (9, 1))
        data = tables(2) if layout == "1.6" else [(2, message(*tables(1)))]
    return message((1, message((1, resource()), (2, message((2, profile))))), *data)


def as_json():
    profile = {"sampleType": {"typeStrindex": 1, "unitStrindex": 2}, "timeUnixNano": str(START), "durationNano": "100", "samples": [
        {"stackIndex": 1, "attributeIndices": [1, 2], "linkIndex": 1, "values": ["30"], "timestampsUnixNano": [str(START + 3)]},
        {"stackIndex": 2, "values": [5.0], "timestampsUnixNano": [str(START + 4)]}]}
    return {"resourceProfiles": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
                                  "scopeProfiles": [{"scope": {"name": "profiler"}, "profiles": [profile]}]}],
            "dictionary": {"mappingTable": [{}, {"filenameStrindex": 5}],
                           "locationTable": [{}, {"mappingIndex": 1, "lines": [{"functionIndex": 1, "line": "12"}]}, {"mappingIndex": 1, "address": "4194560"}],
                           "functionTable": [{}, {"nameStrindex": 3, "filenameStrindex": 4}], "linkTable": [{}, {"traceId": TRACE.hex(), "spanId": SPAN.hex().upper()}],
                           "stringTable": ["", "cpu", "nanoseconds", "main", "/src/shop.c", "/usr/bin/shop", "http.route", "list"],
                           "attributeTable": [{}, {"keyStrindex": 6, "value": {"stringValue": "/cart"}},
                                              {"keyStrindex": 7, "value": {"arrayValue": {"values": [{"intValue": "1"}, {"boolValue": True}, {"kvlistValue": {"values": []}}]}}}],
                           "stackTable": [{}, {"locationIndices": [1]}, {"locationIndices": [2, 1]}]}}


def framed(*messages):
    return b"".join(struct.pack(">I", len(m)) + m for m in messages)


def corpus():
    for layout in ("1.3", "1.4", "1.6", "1.7"):
        yield layout, old(layout)
    for layout in ("1.8", "1.9", "1.10"):
        yield layout, new(layout)
    yield "dictionary-first", new(dictionary_first=True)
    yield "framed", framed(new(), old("1.7"))
    yield "json", json.dumps(as_json(), separators=(",", ":")).encode()
    yield "json-lines", b"".join(json.dumps(as_json(), separators=(",", ":")).encode() + b"\n" for _ in range(2))
    yield "cut", new()[:200]


def main():
    if sys.argv[1] == "--corpus":
        for name, content in corpus():
            (Path(sys.argv[2]) / name).write_bytes(content)
        return
    (Path(sys.argv[1]) / "demo.otlp-profiles").write_bytes(new())
    (Path(sys.argv[1]) / "demo.otlp-profiles.json").write_text(json.dumps(as_json(), indent=1) + "\n")


if __name__ == "__main__":
    main()
