. "$CLI/lib.sh"
run_b >b.info
change | "$ASSAY" patch b.info --diff - --json --fail-under-new 80%; echo "$?"
