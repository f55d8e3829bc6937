. "$CLI/lib.sh"
small >s
covered >c
cp "$FIXTURES/demo.folded" .
"$ASSAY" timeline s c demo.folded
