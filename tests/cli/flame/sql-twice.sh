. "$CLI/lib.sh"
"$ASSAY" flame --text --sql "select 1, null, 'a', 1 union all select 1, null, 'b', 2" "$FIXTURES/demo.folded"
