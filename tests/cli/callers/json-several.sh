. "$CLI/lib.sh"
small >s
mutual >m
"$ASSAY" callers --json --callers leaf s m missing
