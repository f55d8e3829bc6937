. "$CLI/lib.sh"
# Several files, one of which cannot be read.
nested >s.folded
"$ASSAY" tree --json --depth 1 s.folded missing s.folded; echo "$?"
