# shellcheck disable=SC2094
. "$CLI/lib.sh"
# lib.sh: self Ir / Dr is 10 everywhere, 100 / 10 in main, 250 / 25 in work, 50 / 5 in leaf: their sum is 110, 275 and 55.
small >small
printf '# instructions and reads\nall = Ir + Dr\n' >my.metrics
"$ASSAY" convert small --metrics my.metrics --metric all --to folded 2>/dev/null
"$ASSAY" convert small --metrics my.metrics --to folded
