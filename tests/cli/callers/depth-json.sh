. "$CLI/lib.sh"
stacks >s.folded
"$ASSAY" callers --depth 2 --json sort s.folded
