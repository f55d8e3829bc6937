. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" "select 1; select 2;"
