. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" " -- nothing"
