. "$CLI/lib.sh"
# calls is always a metric: 2 + 5 = 7 in total.
small >s
"$ASSAY" top --metric calls s
"$ASSAY" top --metric calls --sort name s
"$ASSAY" top --metric calls --json s | grep -A1 '"metric"'
"$ASSAY" top --metric calls --csv s
# Coverage has calls and no other metric.
cp "$FIXTURES/demo.info" .
"$ASSAY" top --metric calls demo.info
