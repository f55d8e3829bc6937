. "$CLI/lib.sh"
mutual >m
"$ASSAY" top --json m
