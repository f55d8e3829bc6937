. "$CLI/lib.sh"
mutual >m
"$ASSAY" callers --csv even m
