. "$CLI/lib.sh"
small >s
"$ASSAY" top --json s
