#!/usr/bin/env python3
"""Writes OpenTelemetry profiles of layout 1.10 to measure the reader with: samples over stacks of a made-up program, two attributes each.

    make_otlp.py --mb 50 --seed 1 [--json] > FILE

The same arguments give the same bytes."""
import argparse
import json
import random
import struct
import sys


def varint(v):
    out = bytearray()
    while v >= 0x80:
        out.append(v & 0x7F | 0x80)
        v >>= 7
    out.append(v)
    return bytes(out)


def number(field, v):
    return varint(field << 3) + varint(v) if v else b""


def data(field, payload):
    return varint(field << 3 | 2) + varint(len(payload)) + payload


def packed(field, values):
    return data(field, b"".join(map(varint, values))) if values else b""


FUNCTIONS, STACKS, THREADS, ROUTES = 2000, 5000, 8, 40


def program(dice):
    """Strings, functions, locations and stacks."""
    strings = ["", "cpu", "nanoseconds", "thread.id", "http.route", "/usr/bin/server"]
    functions, locations = [b""], [b""]
    for i in range(FUNCTIONS):
        strings += ["app::module%d::function_%d" % (i % 50, i), "/src/module%d.c" % (i % 50)]
        functions.append(number(1, len(strings) - 2) + number(3, len(strings) - 1) + number(4, i))
        locations.append(number(1, 1) + number(2, 4096 + 16 * i) + data(3, number(1, i + 1) + number(2, i % 900 + 1)))
    stacks = [b""] + [packed(1, [dice.randrange(FUNCTIONS) + 1 for _ in range(dice.randrange(3, 30))]) for _ in range(STACKS)]
    return strings, functions, locations, stacks


def attributes():
    table = [b""]
    for i in range(THREADS):
        table.append(number(1, 3) + data(2, number(3, 100 + i)))
    for i in range(ROUTES):
        table.append(number(1, 4) + data(2, data(1, b"/route/%d" % i)))
    return table


def samples(dice, count):
    for _ in range(count):
        yield (min(int(dice.expovariate(1 / 600.0)), STACKS - 1) + 1, (dice.randrange(THREADS) + 1, THREADS + dice.randrange(ROUTES) + 1),
               10000000 * dice.randrange(1, 4))


def binary(count, dice):
    strings, functions, locations, stacks = program(dice)
    profile = data(1, number(1, 1) + number(2, 2))
    parts = [data(2, number(1, stack) + packed(2, sets) + packed(4, [value])) for stack, sets, value in samples(dice, count)]
    profile += b"".join(parts) + varint(3 << 3 | 1) + struct.pack("<Q", 1760000000000000000) + number(4, 10**10) + data(5, number(1, 1) + number(2, 2)) + number(6, 10**7)
    tables = [(1, [b"", number(4, 5)]), (2, locations), (3, functions), (4, [b""]), (5, [s.encode() for s in strings]), (6, attributes()), (7, stacks)]
    dictionary = b"".join(data(field, row) for field, rows in tables for row in rows)
    return data(1, data(2, data(2, profile))) + data(2, dictionary)


def as_json(count, dice):
    strings = program(dice)[0]
    table = [{}] + [{"keyStrindex": 3, "value": {"intValue": str(100 + i)}} for i in range(THREADS)]
    table += [{"keyStrindex": 4, "value": {"stringValue": "/route/%d" % i}} for i in range(ROUTES)]
    rows = [{"stackIndex": stack, "attributeIndices": list(sets), "values": [str(value)]} for stack, sets, value in samples(dice, count)]
    dictionary = {"mappingTable": [{}, {"filenameStrindex": 5}], "stringTable": strings, "attributeTable": table, "linkTable": [{}],
                  "functionTable": [{}] + [{"nameStrindex": 6 + 2 * i, "filenameStrindex": 7 + 2 * i} for i in range(FUNCTIONS)],
                  "locationTable": [{}] + [{"mappingIndex": 1, "lines": [{"functionIndex": i + 1, "line": str(i + 1)}]} for i in range(FUNCTIONS)],
                  "stackTable": [{}] + [{"locationIndices": [dice.randrange(FUNCTIONS) + 1 for _ in range(dice.randrange(3, 30))]} for _ in range(STACKS)]}
    profile = {"sampleType": {"typeStrindex": 1, "unitStrindex": 2}, "samples": rows}
    return json.dumps({"resourceProfiles": [{"scopeProfiles": [{"profiles": [profile]}]}], "dictionary": dictionary}, separators=(",", ":")).encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    sample_len = 70 if options.json else 17
    count = max(1, int(options.mb * 1e6 / sample_len))
    sys.stdout.buffer.write(as_json(count, dice) if options.json else binary(count, dice))


if __name__ == "__main__":
    main()
