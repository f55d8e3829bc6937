. "$CLI/lib.sh"
mutual >m
"$ASSAY" callers --exact even m
