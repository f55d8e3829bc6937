"$ASSAY" formats | sed -n 1p
"$ASSAY" formats | grep '^webgrind '
"$ASSAY" formats --csv | grep '^webgrind,'
"$ASSAY" formats --markdown | sed -n 2p
"$ASSAY" formats | sed 1d | cut -d' ' -f1 | sort -c && echo "by name"
