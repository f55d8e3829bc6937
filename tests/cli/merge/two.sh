. "$CLI/lib.sh"
# Counts are added, not evaluated stays what it is, and the order makes no difference.
run_a >a.info
run_b >b.info
"$ASSAY" merge a.info b.info -o ab.info
"$ASSAY" merge b.info a.info --to lcov >ba.info 2>/dev/null
cat ab.info
cmp ab.info ba.info && ls
