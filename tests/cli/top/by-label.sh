# Samples of demo.pprof by endpoint: /cart 30 + 40 ms, /home 20 ms, none 10 ms; below round 30 ms and 10 ms. By bytes: 4096 has 70 ms.
cp "$FIXTURES/demo.pprof" "$FIXTURES/demo.folded" .
"$ASSAY" top --by label:endpoint demo.pprof
"$ASSAY" top --by label:bytes --metric samples --csv demo.pprof
"$ASSAY" top --by label:endpoint --json=short --focus round demo.pprof
"$ASSAY" top --by label:nosuch demo.pprof
"$ASSAY" top --by label: demo.pprof
"$ASSAY" top --by label:x demo.folded
