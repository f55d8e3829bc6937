. "$CLI/lib.sh"
# Nothing was called.
covered >c
"$ASSAY" tree c; echo "$?"
"$ASSAY" tree --flat c; echo "$?"
