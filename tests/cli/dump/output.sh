. "$CLI/lib.sh"
tiny >t
"$ASSAY" dump -o out t
"$ASSAY" dump t | cmp - out
"$ASSAY" dump t >/dev/full; echo "$?"
