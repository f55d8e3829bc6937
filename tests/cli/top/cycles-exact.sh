. "$CLI/lib.sh"
stacks >s.folded
"$ASSAY" top --cycles s.folded
