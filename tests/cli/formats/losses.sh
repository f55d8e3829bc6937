"$ASSAY" formats --losses callgrind webgrind
"$ASSAY" formats --losses callgrind callgrind
"$ASSAY" formats --losses --json callgrind webgrind
