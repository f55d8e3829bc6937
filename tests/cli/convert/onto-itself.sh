. "$CLI/lib.sh"
small >s
"$ASSAY" top --json s >a
"$ASSAY" convert s --to callgrind -o s
"$ASSAY" top --json s | cmp - a
