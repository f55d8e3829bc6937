. "$CLI/lib.sh"
cp "$FIXTURES/demo.callgrind" a=b; "$ASSAY" query a=b "select name, path from profile"
