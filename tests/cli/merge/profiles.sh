. "$CLI/lib.sh"
# Twice the cost of `small`, and its metrics beside those of `tiny`: Ir 800, Dr 80, Cycles 10.
small >s
tiny >t
"$ASSAY" merge s s t -o m.callgrind
"$ASSAY" merge t s s --to callgrind >n.callgrind
cmp m.callgrind n.callgrind && "$ASSAY" info m.callgrind | grep -A2 metrics
"$ASSAY" top --csv --metric Ir m.callgrind
"$ASSAY" merge s t -o m.info; echo "$?"
