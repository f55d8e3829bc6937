. "$CLI/lib.sh"
# Every row, every metric.
small >s
nested >s.folded
"$ASSAY" tree --json s.folded
"$ASSAY" tree --json --bottom-up --metric Dr s
