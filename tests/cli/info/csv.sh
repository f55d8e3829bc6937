. "$CLI/lib.sh"
small >s
"$ASSAY" info --csv s
