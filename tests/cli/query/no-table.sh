. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" "select * from functions"
