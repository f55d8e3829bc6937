. "$CLI/lib.sh"
small >s
"$ASSAY" callers --depth 2 work s
