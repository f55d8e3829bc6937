. "$CLI/lib.sh"
"$ASSAY" flame --text --sql 'select 1, 2' "$FIXTURES/demo.folded"
