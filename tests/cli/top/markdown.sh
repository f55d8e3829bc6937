. "$CLI/lib.sh"
tiny >t
small >s
"$ASSAY" top --markdown t s
