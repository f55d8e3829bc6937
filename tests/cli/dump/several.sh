. "$CLI/lib.sh"
tiny >t
"$ASSAY" dump t missing t >out; echo "$?"
grep -n '==>' out
