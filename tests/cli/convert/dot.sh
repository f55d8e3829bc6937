. "$CLI/lib.sh"
mutual >m
"$ASSAY" convert m --to dot --min 15
