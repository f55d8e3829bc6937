. "$CLI/lib.sh"
mutual >m
"$ASSAY" callers --exact again m
