. "$CLI/lib.sh"
small >s
"$ASSAY" convert s --to callgrind --no-ids --no-relative | grep -c '([0-9]*)'
"$ASSAY" convert s --to callgrind | grep -c '([0-9]*)'
exit 0
