. "$CLI/lib.sh"
mutual >m
"$ASSAY" top --exact m
