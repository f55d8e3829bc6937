. "$CLI/lib.sh"
# Contexts under those that called them, the largest first; a chain is not moved to the right.
nested >s.folded
"$ASSAY" tree s.folded
