. "$CLI/lib.sh"
small >s
"$ASSAY" info --json s
