. "$CLI/lib.sh"
"$ASSAY" flame --diff --sql 'select 1, 2, 3, 4' "$FIXTURES/demo.folded" "$FIXTURES/demo.folded"
