cp -r "$FIXTURES/app.m" .
"$ASSAY" timeline --streams 1 --limit 1 app.m
"$ASSAY" timeline --streams 1 --json --limit 1 app.m
"$ASSAY" timeline --streams 0 app.m
echo "exit $?"
