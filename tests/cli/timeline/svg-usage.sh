cp -r "$FIXTURES/app.m" "$FIXTURES/gpu.m" .
"$ASSAY" timeline --svg app.m gpu.m
"$ASSAY" timeline --svg --json app.m
"$ASSAY" timeline "$FIXTURES/demo.folded" -o no.svg 2>err
echo "exit $?"
ls no.svg 2>/dev/null
"$ASSAY" timeline app.m --svg | grep -c '<path class="q'
