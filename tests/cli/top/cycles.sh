. "$CLI/lib.sh"
mutual >m
"$ASSAY" top --exact --cycles m
