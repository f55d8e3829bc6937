. "$CLI/lib.sh"
small >s
"$ASSAY" convert s --to webgrind:6 -o w --json
"$ASSAY" convert s --to callgrind -o c --json
"$ASSAY" convert s --to callgrind --json >x; echo "$?"
"$ASSAY" convert s --to callgrind --json -o -; echo "$?"
