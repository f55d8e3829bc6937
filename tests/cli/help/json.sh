# The description of verbs and options for other programs.
"$ASSAY" help --json >d
grep -o '{"name": "sort"[^}]*}' d
python3 -c 'import json; d = json.load(open("d")); print([v["name"] for v in d["verbs"]])'
