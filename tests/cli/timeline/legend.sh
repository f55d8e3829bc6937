# Boxes without room for a name have letters; names are shown without namespaces where that makes them fit.
cp "$FIXTURES/demo.nytprof" .
"$ASSAY" timeline --limit 2 --width 60 demo.nytprof
