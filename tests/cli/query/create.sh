. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" "create table x(a)"
