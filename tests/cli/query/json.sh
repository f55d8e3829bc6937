. "$CLI/lib.sh"
"$ASSAY" query --format json "$FIXTURES/demo.callgrind" "select name, self from top limit 2"
