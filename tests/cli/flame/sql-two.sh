. "$CLI/lib.sh"
"$ASSAY" flame --text --exact --sql "select profile || '.' || id, profile || '.' || parent, name, self as samples from flame" "$FIXTURES/demo.folded" "$FIXTURES/demo.folded"
