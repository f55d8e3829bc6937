. "$CLI/lib.sh"
"$ASSAY" query --format markdown "$FIXTURES/demo.callgrind" "select name, self from top limit 2"
