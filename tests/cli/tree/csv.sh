. "$CLI/lib.sh"
# One table for all files; all rows, exact.
nested >s.folded
"$ASSAY" tree --csv s.folded
small >s
"$ASSAY" tree --flat --csv --limit 4 s s.folded
