. "$CLI/lib.sh"
cd "$FIXTURES" || exit
"$ASSAY" top --where 'self > 1' --by file demo.callgrind
