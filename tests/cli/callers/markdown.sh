. "$CLI/lib.sh"
mutual >m
"$ASSAY" callers --markdown even m
