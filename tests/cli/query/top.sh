. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" "select name, self, total, calls from top limit 3"
