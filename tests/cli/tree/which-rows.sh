. "$CLI/lib.sh"
# --min, --limit and --depth; what is left out is said.
nested >s.folded
"$ASSAY" tree --min 30% s.folded
"$ASSAY" tree --limit 2 s.folded
"$ASSAY" tree --depth 2 --sort name s.folded
"$ASSAY" tree --min 0 --limit 1 --bottom-up s.folded
