. "$CLI/lib.sh"
stacks >s.folded
"$ASSAY" callers --depth 3 --limit 2 cmp s.folded
