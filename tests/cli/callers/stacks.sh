. "$CLI/lib.sh"
stacks >s.folded
"$ASSAY" callers sort s.folded
