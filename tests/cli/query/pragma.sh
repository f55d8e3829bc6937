. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" "pragma journal_mode = off"
