for verb in info check dump top convert; do "$ASSAY" "$verb"; echo "$?"; done
"$ASSAY" convert a b --to callgrind; echo "$?"
"$ASSAY" formats callgrind webgrind; echo "$?"
