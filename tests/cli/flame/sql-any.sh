. "$CLI/lib.sh"
"$ASSAY" flame --text --exact --sql "select 1, null, 'a', 3 union all select 2, 1, 'b', 5 union all select '3', '1', 'c', 2.5 union all select null, 7, 'd', 1" "$FIXTURES/demo.folded"
