. "$CLI/lib.sh"
mutual >m
"$ASSAY" top --exact --markdown m
