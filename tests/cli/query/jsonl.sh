. "$CLI/lib.sh"
"$ASSAY" query --format jsonl "$FIXTURES/demo.callgrind" "select name, self_share, null as n from top limit 2"
