. "$CLI/lib.sh"
cd "$FIXTURES" || exit
"$ASSAY" top --where 'no_column = 1' demo.callgrind
