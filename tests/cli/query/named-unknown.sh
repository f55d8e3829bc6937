. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" --named hot-untestd
