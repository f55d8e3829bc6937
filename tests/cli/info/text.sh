. "$CLI/lib.sh"
small >s
"$ASSAY" info s
