cp -r "$FIXTURES/app.m" .
"$ASSAY" timeline --color always --width 40 app.m
"$ASSAY" timeline --color always --width 40 --by-stream app.m
