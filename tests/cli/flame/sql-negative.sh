. "$CLI/lib.sh"
"$ASSAY" flame --text --sql "select 1, null, 'a', -1" "$FIXTURES/demo.folded"
