. "$CLI/lib.sh"
tiny >t
small >s
"$ASSAY" top -n 1 t s
