"""Validates JSON documents against docs/schema: validate.py VERB FILE... Exits 77 where jsonschema is not installed."""
import json, os, sys

try:
    import jsonschema
except ImportError:
    print("no python3-jsonschema", file=sys.stderr)
    sys.exit(77)

verb, files = sys.argv[1], sys.argv[2:]
with open(os.path.join(os.environ["SCHEMA"], verb + ".schema.json"), encoding="utf-8") as f:
    schema = json.load(f)
jsonschema.Draft202012Validator.check_schema(schema)
bad = 0
for name in files:
    with open(name, encoding="utf-8") as f:
        for error in jsonschema.Draft202012Validator(schema).iter_errors(json.load(f)):
            where = "/".join(str(p) for p in error.absolute_path)
            print(f"{name}: {where}: {error.message}"[:400])
            bad = 1
sys.exit(bad)
