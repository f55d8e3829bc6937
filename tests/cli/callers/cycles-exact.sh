. "$CLI/lib.sh"
stacks >s.folded
"$ASSAY" callers --cycles init s.folded
