. "$CLI/lib.sh"
"$ASSAY" query --max-rows 2 --format jsonl "$FIXTURES/demo.callgrind" "select 1 from top"
