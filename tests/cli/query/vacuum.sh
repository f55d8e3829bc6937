. "$CLI/lib.sh"
"$ASSAY" query "$FIXTURES/demo.callgrind" "vacuum into 'x.db'" ; code=$?; ls; exit $code
