. "$CLI/lib.sh"
mutual >m
"$ASSAY" callers --exact --cycles "even|cycle" m
