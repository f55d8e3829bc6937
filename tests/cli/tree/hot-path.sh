. "$CLI/lib.sh"
# The largest child as long as it has half of its parent; from a function, too.
nested >s.folded
"$ASSAY" tree --hot-path s.folded
"$ASSAY" tree --hot-path --function leaf s.folded
cp -r "$FIXTURES/app.m" app
"$ASSAY" tree --hot-path app --foreign
"$ASSAY" tree --hot-path --functions app --foreign
