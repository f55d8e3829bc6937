# Order and durations are those of the file; when anything began is not in it.
cp "$FIXTURES/demo.xdebug" .
"$ASSAY" timeline --exact demo.xdebug
