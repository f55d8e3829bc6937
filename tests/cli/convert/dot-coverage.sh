. "$CLI/lib.sh"
covered >c
"$ASSAY" convert c --to dot
