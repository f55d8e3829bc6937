. "$CLI/lib.sh"
run_a >a.info
run_b >b.info
"$ASSAY" merge --json a.info b.info -o ab.info
