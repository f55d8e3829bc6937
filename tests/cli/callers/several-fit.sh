. "$CLI/lib.sh"
small >s
"$ASSAY" callers --limit 2 "^[a-z]" s
