#!/usr/bin/env python3
"""docs/columns.md and the schema of assay-json are what src/model/schema.def says. `--update` writes them."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SOURCE, Tally  # noqa: E402

LIST = SOURCE / "src" / "model" / "schema.def"
PAGE = SOURCE / "docs" / "columns.md"
SCHEMA = SOURCE / "docs" / "schema" / "assay-json.schema.json"
ROW = re.compile(r'C\(T, (\w+), +(\w+), +(\w+), +(\w+), +(\w+), +(NO|M\w+\("\w+"\)), +(\w+), +(\w+), +"(.*)"\)')
TABLE = re.compile(r'T\((\w+), SCHEMA_\w+, (\w+), (\w+), \w+, \w+, [\w.]+, (\w+), (\w+), "(\w+)", "([\w ]+)", "([\w ]+)"\)')
INNER = {"STREAMS": ["TUPLES"], "FUNCS": ["COVERAGE_FUNCS"],
         "FILES": ["COVERAGE_LINES", "COVERAGE_BRANCHES", "COVERAGE_SUMS", "COVERAGE_CONDITIONS", "COVERAGE_REGIONS", "COVERAGE_STATED"]}
NUMBERED = {"IDS": "ids from 1", "ROWS": "rows from 0", "ORDER": "rows from 0, in order", "EACH": "one for each stream, 0 = none"}
HEAD = """# Tables and columns

Every table and column of the model, as `src/model/schema.def` lists them; [model.md](model.md) says what they mean together. Written by
`tests/structure/columns.py --update`. Keys say which row it is, figures what is said of it; notes are kept but are no part of what makes two profiles equal;
layouts are made when the profile is sealed. A lazy column is absent when no row fills it. Merge rules are explained at the top of `schema.def`.
"""


def tables():
    text = LIST.read_text(encoding="utf-8")
    found = []
    for name, public, counter, numbering, block, listed, item, what in TABLE.findall(text):
        body = re.search(rf"#define SCHEMA_{name}\(C, T\)(.*?)\n\n", text + "\n\n", re.S).group(1)
        keys = ("name", "member", "type", "role", "extent", "json", "words", "merge", "what")
        rows = [dict(zip(keys, row)) for row in ROW.findall(body)]
        assert len(rows) == body.count("C(T,"), f"{name}: a line of schema.def has another form"
        found.append({"name": name, "public": public, "numbering": numbering, "block": block, "list": listed, "item": item, "what": what, "columns": rows})
    return found


def words():
    text = (SOURCE / "src" / "model" / "schema.c").read_text(encoding="utf-8")
    return {name: re.findall(r'"(\w+)"', listed) for name, listed in re.findall(r"^WORDS\((\w+), (.*)\)$", text, re.M)}


def json_name(column):
    found = re.search(r'"(\w+)"', column["json"])
    return found.group(1) if found else None


def page(found):
    parts = [HEAD]
    for t in found:
        parts.append(f"\n## {t['what'][0].upper()}{t['what'][1:]}\n\n`struct {t['public']}`, {NUMBERED[t['numbering']]}; `{t['list']}` in assay-json.\n\n"
                     "| column | type | role | extent | assay-json | merge | what it is |\n|---|---|---|---|---|---|---|\n")
        for c in t["columns"]:
            name = f"`{json_name(c)}`" if json_name(c) else ""
            parts.append(f"| `{c['member']}` | {c['type'].lower()} | {c['role'].lower()} | {c['extent'].lower()} | {name} | {c['merge'].lower()} | {c['what']} |\n")
    return "".join(parts)


def value(column, known):
    whole = {"type": "integer", "minimum": 0}
    number = {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]}
    kinds = {"STRING": {"type": "string"}, "BOOL": {"type": "boolean"}, "I64": {"type": "integer"}, "F64": number, "WIDE": number,
             "VALUES": {"type": "array", "items": number}}
    kinds.update({t: whole for t in ("U8", "U32", "U64")})
    kinds.update({t: {"type": "integer", "minimum": 1} for t in ("MODULE", "FILE", "FUNC", "METRIC", "SCOPE", "STREAM", "NODE", "LABEL", "SET", "COUNTER")})
    if column["type"] == "STRING" and column["json"].startswith("MUST"):
        return {"type": ["string", "null"]}
    if column["type"] == "WORD":
        return {"enum": known[column["words"]]}
    if column["type"] in ("FLAGS", "SHAPES"):
        return {"type": "array", "items": {"enum": known[column["words"]]}}
    return kinds[column["type"]]


def rows_of(item):
    return {"type": "array", "items": {"$ref": f"#/$defs/{item}"}}


def schema(found):
    known, by_name = words(), {t["name"]: t for t in found}
    members, defs = {"assay-json": {"const": 1}, "producer": {"type": "string"}}, {}
    number = {"type": "integer", "minimum": 1}
    for t in found:
        own = {"stream": number} if t["name"] in ("TIMELINES", "EVENTS") else {}
        own.update({json_name(c): value(c, known) for c in t["columns"] if json_name(c)})
        own.update({by_name[i]["list"]: rows_of(by_name[i]["item"]) for i in INNER.get(t["name"], [])})
        needs = [json_name(c) for c in t["columns"] if c["json"].startswith("MUST")]
        defs[t["item"]] = {"type": "object", "properties": own, **({"required": needs} if needs else {})}
        if t["name"] not in ("TUPLES", "COVERAGE_FUNCS"):
            members[t["list"]] = rows_of(t["item"])
    plain = value({"type": "WIDE"}, known)
    defs["value"] = {"type": "object", "properties": {"stream": number, "context": number, "scope": number, "value": plain}, "required": ["scope", "value"]}
    defs["summed value"] = {"type": "object", "properties": {"context": number, "statistic": number, "value": plain}, "required": ["statistic", "value"]}
    members["values"], members["summary"] = rows_of("value"), rows_of("summed value")
    members["metrics_of"] = {"type": "object", "properties": {s: {"type": "array", "items": number} for s in ("graph", "lines", "events")}}
    members["properties"] = {"type": "array", "items": {"enum": ["keeps_recursion", "knows_nesting", "whole_tree"]}}
    defs = {name.replace(" ", "_"): d for name, d in defs.items()}
    text = json.dumps({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "assay-json, version 1",
        "description": "A profile as assay holds it; docs/formats/assay-json.md explains the members. An absent member is 0, none or false. "
                       "Strings hold bytes that are no UTF-8 as lone surrogates U+DC80 to U+DCFF.",
        "type": "object", "properties": members, "required": ["assay-json"], "$defs": defs}, indent=2)
    return re.sub(r'"#/\$defs/([\w ]+)"', lambda m: m.group(0).replace(" ", "_"), text) + "\n"


def main():
    tally = Tally()
    found = tables()
    for path, text in ((PAGE, page(found)), (SCHEMA, schema(found))):
        if "--update" in sys.argv:
            path.write_text(text, encoding="utf-8")
        tally.check(path.read_text(encoding="utf-8") == text, f"{path.relative_to(SOURCE)} is what schema.def says", "run tests/structure/columns.py --update")
    public = (SOURCE / "include" / "assay" / "model.h").read_text(encoding="utf-8")
    for t in found:
        missing = [c["member"] for c in t["columns"] if not re.search(rf"\*{c['member']}[,;]", public)]
        tally.check(not missing, f"{t['name']}: each column is in assay/model.h", *missing)
    tally.finish()


if __name__ == "__main__":
    main()
