. "$CLI/lib.sh"
small >s
"$ASSAY" convert s -o out.webgrind 2>/dev/null; echo "$?"
"$ASSAY" info --json out.webgrind | grep -o '"format": "[a-z]*"'
"$ASSAY" convert s -o out.callgrind; echo "$?"
"$ASSAY" convert s -o out.unknown; echo "$?"
"$ASSAY" convert s -o callgrind; echo "$?"
"$ASSAY" convert s >/dev/null; echo "$?"
ls
