. "$CLI/lib.sh"
cd "$FIXTURES" || exit
"$ASSAY" top --where '1) ; select (1' demo.callgrind
