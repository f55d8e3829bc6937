cp -r "$FIXTURES/app.m" .
"$ASSAY" timeline --csv --stream 'THREAD 1' app.m
"$ASSAY" timeline --stream 'GPU' app.m
echo "exit $?"
"$ASSAY" timeline --csv --focus small app.m
