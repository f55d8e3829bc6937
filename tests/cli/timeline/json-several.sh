cp -r "$FIXTURES/gpu.m" .
"$ASSAY" timeline --json --limit 1 gpu.m missing
