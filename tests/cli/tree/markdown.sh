. "$CLI/lib.sh"
# With the depth instead of lines.
nested >s.folded
"$ASSAY" tree --markdown --limit 3 s.folded
