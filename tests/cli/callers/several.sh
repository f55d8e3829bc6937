. "$CLI/lib.sh"
small >s
mutual >m
"$ASSAY" callers leaf s m
