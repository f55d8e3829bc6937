. "$CLI/lib.sh"
# One file that cannot be read prints nothing; one of several is listed under errors.
tiny >t
"$ASSAY" top --json missing; echo "$?"
"$ASSAY" top --json missing t --limit 0; echo "$?"
