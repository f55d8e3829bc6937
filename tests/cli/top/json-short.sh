. "$CLI/lib.sh"
# Only the metric that was asked for, in every verb that lists rows; and how many rows there are.
small >s
nested >s.folded
sed 's|^20 250 25|20 260 26|' s >s2
"$ASSAY" top --json=short --limit 2 --metric Dr s
"$ASSAY" top --json=short --limit 1 --metric calls s
"$ASSAY" tree --json=short --estimate --limit 2 s
"$ASSAY" callers --json=short --metric Dr work s
"$ASSAY" annotate --json=short --metric Dr --limit 1 s
"$ASSAY" diff --json=short --metric Dr s s2
"$ASSAY" top --json=long s
exit 0
