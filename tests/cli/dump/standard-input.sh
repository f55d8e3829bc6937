. "$CLI/lib.sh"
tiny >t
"$ASSAY" dump t >a
"$ASSAY" dump - <t | cmp - a
