. "$CLI/lib.sh"
# The same boxes as without a statement.
"$ASSAY" flame --text --sql 'select id, parent, name, self from flame' "$FIXTURES/demo.folded"
