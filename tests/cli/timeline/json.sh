cp -r "$FIXTURES/app.m" .
"$ASSAY" timeline --json --depth 3 app.m
