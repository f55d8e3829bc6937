. "$CLI/lib.sh"
small >s
"$ASSAY" convert s --to callgrind -o no/such/out; echo "$?"
"$ASSAY" convert s --to callgrind -o .; echo "$?"
"$ASSAY" convert s --to callgrind -o /dev/full; echo "$?"
"$ASSAY" convert s --to hpcdb-xml -o c; echo "$?"
ls -A
