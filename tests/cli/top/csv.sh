. "$CLI/lib.sh"
small >s
"$ASSAY" top --csv s
