. "$CLI/lib.sh"
covered >c.info
# One CSV table has one kind of rows.
small >s
"$ASSAY" top --csv c.info s
