# Samples of demo.pprof: main;serve;price;round 30 ms with endpoint=/cart and 4096 bytes, main;serve;price 20 ms with endpoint=/home,
# main;serve;price;round 10 ms without labels, main;0x400500 40 ms with endpoint=/cart and 4096 bytes. What is left is as in 'go tool pprof -traces'.
cp "$FIXTURES/demo.pprof" "$FIXTURES/demo.folded" .
ask() {
    echo "$*"
    "$ASSAY" convert demo.pprof --to folded "$@" 2>/dev/null
}
ask --tag-focus endpoint=cart
ask --tag-focus 'endpoint=^/c,home'
ask --tag-focus 'endpoint,home'
ask --tag-ignore endpoint:/home
ask --tag-focus endpoint --tag-ignore cart
ask --tag-focus 4kb
ask --tag-focus bytes=1kb:4096b
ask --tag-focus bytes=4096
ask --tag-root endpoint
ask --tag-leaf bytes,endpoint
ask --tag-root endpoint --tag-focus cart --show 'cart|round'
echo refused
"$ASSAY" top demo.pprof --tag-focus 'a('
"$ASSAY" top demo.pprof --tag-focus endpoint=
"$ASSAY" top demo.pprof --tag-focus a --time 1..2
"$ASSAY" top demo.folded --tag-focus a
"$ASSAY" top demo.pprof --tag-focus nosuch | head -1
