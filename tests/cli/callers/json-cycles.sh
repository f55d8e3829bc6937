. "$CLI/lib.sh"
mutual >m
"$ASSAY" callers --json --cycles "<cycle 1>" m
