. "$CLI/lib.sh"
stacks >s.folded
"$ASSAY" callers --depth 3 sort s.folded
