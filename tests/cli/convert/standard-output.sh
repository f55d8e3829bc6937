. "$CLI/lib.sh"
small >s
"$ASSAY" convert s --to callgrind >a
"$ASSAY" convert - --to callgrind <s | cmp - a
"$ASSAY" convert s --to callgrind -o - | cmp - a
"$ASSAY" convert s --to callgrind -o b && cmp a b
"$ASSAY" convert s --to callgrind >/dev/full; echo "$?"
