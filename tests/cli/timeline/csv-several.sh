cp -r "$FIXTURES/app.m" "$FIXTURES/gpu.m" .
"$ASSAY" timeline --csv app.m gpu.m
