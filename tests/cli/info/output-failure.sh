. "$CLI/lib.sh"
small >s
"$ASSAY" info -o no/such/folder/out s; echo "$?"
"$ASSAY" info -o . s; echo "$?"
"$ASSAY" info s >/dev/full; echo "$?"
"$ASSAY" info --json -o /dev/full s; echo "$?"
