# pprof's words for metrics: numbers from 0 in the order of the file (samples, cpu), and names. Samples are 3 + 2 + 1 + 4, of 10 ms each.
cp "$FIXTURES/demo.pprof" .
printf 'heap profile: 1: 300 [1: 300] @ heapprofile\n 1: 300 [1: 300] @ 0x101\n' >space.heap
for name in 0 1 cpu samples; do "$ASSAY" top --sample_index "$name" --limit 1 demo.pprof; done
"$ASSAY" top --metric 0 --limit 1 demo.pprof | head -1
"$ASSAY" top --sample_index=inuse_space space.heap
"$ASSAY" top --sample_index=inuse_objects space.heap | head -1
"$ASSAY" top --metric 2 demo.pprof
