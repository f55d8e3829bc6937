# How wide a column is depends on the formats that there are: blanks are squeezed.
"$ASSAY" formats | sed -n '1s/  */ /gp'
"$ASSAY" formats | sed -n '/^webgrind /s/  */ /gp'
"$ASSAY" formats | awk 'NR == 1 { at = index($0, "title") } substr($0, at - 2, 2) != "  " || substr($0, at, 1) == " " { bad = 1 } END { print bad ? "crooked" : "in columns" }'
"$ASSAY" formats --csv | grep '^webgrind,'
"$ASSAY" formats --markdown | sed -n 2p
"$ASSAY" formats | sed 1d | cut -d' ' -f1 | sort -c && echo "by name"
