. "$CLI/lib.sh"
run_a >a.info
run_b >b.info
"$ASSAY" merge --keep-tests a.info b.info --to lcov 2>/dev/null
