. "$CLI/lib.sh"
small >s
"$ASSAY" top s
