. "$CLI/lib.sh"
mutual >m
"$ASSAY" top --csv --cycles m
