. "$CLI/lib.sh"
covered >c.info
"$ASSAY" top --json c.info
"$ASSAY" top --json --by directory --limit 1 c.info
"$ASSAY" top --json --metric calls c.info
