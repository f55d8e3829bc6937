"$ASSAY" formats --losses callgrind; echo "$?"
"$ASSAY" formats --losses callgrind calgrind; echo "$?"
"$ASSAY" formats --losses --csv callgrind webgrind; echo "$?"
