# The list grows: what is shown of each here is fixed.
"$ASSAY" formats --json | grep '"name": "callgrind"'
"$ASSAY" formats --json | sed -n 1,3p
