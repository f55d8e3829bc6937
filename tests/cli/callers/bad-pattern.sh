. "$CLI/lib.sh"
small >s
"$ASSAY" callers "work(" s
