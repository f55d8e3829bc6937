. "$CLI/lib.sh"
tiny >t
"$ASSAY" info --markdown t
