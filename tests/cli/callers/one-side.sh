. "$CLI/lib.sh"
small >s
"$ASSAY" callers --callers work s
"$ASSAY" callers --callees work s
