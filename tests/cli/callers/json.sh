. "$CLI/lib.sh"
small >s
"$ASSAY" callers --json work s
