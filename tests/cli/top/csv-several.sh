. "$CLI/lib.sh"
small >s
tiny >t
"$ASSAY" top --csv s t
