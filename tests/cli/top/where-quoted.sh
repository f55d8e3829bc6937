. "$CLI/lib.sh"
cd "$FIXTURES" || exit
"$ASSAY" top --where "name = 'it''s') or (1 = 0" demo.callgrind
