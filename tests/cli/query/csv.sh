. "$CLI/lib.sh"
"$ASSAY" query --format csv "$FIXTURES/demo.callgrind" "select 'a,\"b' as x, self from top limit 1"
