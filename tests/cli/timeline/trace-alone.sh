cp "$FIXTURES/01.01.hpctrace" .
"$ASSAY" timeline 01.01.hpctrace
