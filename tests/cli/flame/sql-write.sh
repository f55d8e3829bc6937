. "$CLI/lib.sh"
"$ASSAY" flame --text --sql 'drop table top' "$FIXTURES/demo.folded"
