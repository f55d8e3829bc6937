# Of 12 ns the last 6: 3 of work, 3 of small; the last 25 %: small alone.
cp -r "$FIXTURES/app.m" .
"$ASSAY" timeline --exact --time 6ns.. --limit 1 app.m
"$ASSAY" timeline --csv --time 75%..100% app.m
