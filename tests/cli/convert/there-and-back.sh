. "$CLI/lib.sh"
# callgrind to callgrind: the same figures.
small >s
"$ASSAY" convert s --to callgrind -o s2
"$ASSAY" top --json s | grep -v '"path"' >a
"$ASSAY" top --json s2 | grep -v '"path"' | cmp - a
"$ASSAY" info --json s2 | grep -o '"format": "[a-z]*"'
ls
