cp -r "$FIXTURES/app.m" .
"$ASSAY" timeline --markdown app.m
