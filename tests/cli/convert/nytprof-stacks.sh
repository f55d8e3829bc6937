# Statements of NYTProf have three metrics by line (time, ticks, count), which no format of call stacks has room for.
for to in pprof speedscope chrome-trace firefox-profile otlp-profiles; do
    "$ASSAY" convert "$FIXTURES/demo.nytprof" --to $to -o out.$to 2>&1 | grep 'of lines' | sed "s/^/$to: /"
done
