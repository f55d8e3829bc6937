. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" "attach 'x' as y"
