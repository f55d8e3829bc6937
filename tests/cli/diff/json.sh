. "$CLI/lib.sh"
run_a >a.info
run_b >b.info
change | "$ASSAY" diff a.info b.info --diff - --json
