. "$CLI/lib.sh"
# Callers under the functions that they called; recursion counts once in totals.
nested >s.folded
"$ASSAY" tree --bottom-up s.folded
"$ASSAY" tree --bottom-up --function leaf --exact s.folded
