. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" "select load_extension('x.so')"
