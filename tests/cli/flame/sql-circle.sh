. "$CLI/lib.sh"
"$ASSAY" flame --text --sql "select 1, 2, 'a', 3 union all select 2, 1, 'b', 5" "$FIXTURES/demo.folded"
