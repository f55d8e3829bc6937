. "$CLI/lib.sh"
tiny >t
"$ASSAY" dump t
