# Two threads, 12 ns: idle for 5, then work for 4 and small for 3.
"$ASSAY" timeline --by-stream "$FIXTURES/app.m" --width 60 | sed 1s,.*/,,
