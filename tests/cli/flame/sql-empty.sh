. "$CLI/lib.sh"
"$ASSAY" flame --text --sql 'select 1, 2, 3, 4 where false' "$FIXTURES/demo.folded"
