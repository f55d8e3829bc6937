. "$CLI/lib.sh"
mutual >m
"$ASSAY" callers --exact --limit 1 even m
