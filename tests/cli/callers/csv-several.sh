. "$CLI/lib.sh"
small >s
mutual >m
"$ASSAY" callers --csv leaf s m
