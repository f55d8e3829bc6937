. "$CLI/lib.sh"
small >s
tiny >t
"$ASSAY" top --json --limit 1 s t
