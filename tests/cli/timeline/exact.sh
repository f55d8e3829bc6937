cp -r "$FIXTURES/app.m" .
"$ASSAY" timeline --exact --depth 0 --sort name app.m
