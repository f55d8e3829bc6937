. "$CLI/lib.sh"
cd "$FIXTURES" || exit
"$ASSAY" top --where "self > 1000 and name like '%prime%' -- comment" demo.callgrind
