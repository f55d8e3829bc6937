. "$CLI/lib.sh"
# Views cannot be combined; names must be right.
nested >s.folded
"$ASSAY" tree --flat --bottom-up s.folded; echo "$?"
"$ASSAY" tree --functions --contexts s.folded; echo "$?"
"$ASSAY" tree --function nobody s.folded; echo "$?"
"$ASSAY" tree --metric nothing s.folded; echo "$?"
