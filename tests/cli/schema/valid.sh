. "$CLI/lib.sh"
# What each verb prints is what docs/schema says, for sound, damaged, compressed and unreadable files alike.
small >s
tiny >t
broken >b
: >empty
printf '# callgrind format\ndesc: a\ndesc: b\ncmd: \033\377\nevents: Ir\nfn=x\377\n1 1\n' >odd
set -- s t b odd "$FIXTURES"/*.xdebug "$FIXTURES"/*.callgrind "$FIXTURES"/*.cachegrind "$FIXTURES"/*.gz
"$ASSAY" info --json "$@" >info.1
"$ASSAY" info --json s missing empty >info.2 2>/dev/null
"$ASSAY" check --json "$@" missing empty >check.1 2>/dev/null
"$ASSAY" top --json --limit 0 "$@" >top.1
"$ASSAY" top --json s >top.2
"$ASSAY" top --json --metric calls s >top.3
"$ASSAY" top --json s missing >top.4 2>/dev/null
"$ASSAY" top --json=short --limit 2 s >top.8
"$ASSAY" callers --json=short leaf s >callers.short
"$ASSAY" tree --json=short --estimate --limit 1 s >tree.short
"$ASSAY" diff --json=short s s >diff.short
"$ASSAY" annotate --json=short s >annotate.short
covered >c
"$ASSAY" top --json c >top.5
"$ASSAY" top --json --by directory c s missing >top.6 2>/dev/null
"$ASSAY" top --json --metric calls c >top.7
covered_sources here
"$ASSAY" annotate --json --limit 0 s "$FIXTURES/demo.nytprof" c missing >annotate.1 2>/dev/null
"$ASSAY" annotate --json --source-root here --exclusions c >annotate.2
"$ASSAY" annotate --json --missing c >annotate.3
"$ASSAY" annotate --json --missing s >annotate.4 2>/dev/null
"$ASSAY" annotate --json --limit 0 s "$FIXTURES/demo.nytprof" "$FIXTURES/demo.callgrind" "$FIXTURES/demo.info" >annotate.5
"$ASSAY" convert --json s --to webgrind -o w >convert.1
"$ASSAY" convert --json s --to callgrind -o c >convert.2
"$ASSAY" formats --json >formats.1
"$ASSAY" formats --json --losses callgrind webgrind >formats.2
run_a >a.info
run_b >b.info
"$ASSAY" merge --json a.info b.info "$FIXTURES"/demo.cobertura.xml -o m.info >merge.1
"$ASSAY" merge --json a.info --to cobertura -o m.xml >merge.2
change >c.diff
"$ASSAY" patch --json a.info b.info --diff c.diff --fail-under-new 80% >patch.1 2>/dev/null
"$ASSAY" patch --json a.info --diff - </dev/null >patch.2
"$ASSAY" diff --json a.info b.info --diff c.diff >diff.1
"$ASSAY" diff --json a.info "$FIXTURES"/demo.cobertura.xml >diff.2
small | sed -e "s/^20 250 25/20 363 25/" >s2
"$ASSAY" diff --json s s2 --fail-above 2% >diff.3 2>/dev/null
"$ASSAY" diff --json "$FIXTURES"/demo.nytprof "$FIXTURES"/demo-z.nytprof >diff.4
"$ASSAY" diff --json --by line "$FIXTURES"/demo.nytprof "$FIXTURES"/demo-z.nytprof >diff.5
"$ASSAY" diff --json --by context --limit 0 "$FIXTURES"/demo.xdebug "$FIXTURES"/demo2.xdebug >diff.6
mutual >m
stacks >f.folded
"$ASSAY" callers --json --limit 0 "" s t b m f.folded "$FIXTURES/demo.nytprof" missing >callers.1 2>/dev/null
"$ASSAY" callers --json --cycles "" m >callers.2
"$ASSAY" callers --json --depth 3 --callers "" f.folded >callers.3
"$ASSAY" timeline --json "$FIXTURES/app.m" >timeline.1
"$ASSAY" timeline --json --depth 0 "$FIXTURES/demo.xdebug" s missing >timeline.2 2>/dev/null
"$ASSAY" tree --json f.folded >tree.1
"$ASSAY" tree --json --flat s t "$FIXTURES"/*.xdebug "$FIXTURES"/*.callgrind missing >tree.2 2>/dev/null
"$ASSAY" tree --json --bottom-up s f.folded "$FIXTURES/demo.nytprof" >tree.3
"$ASSAY" tree --json --hot-path s f.folded "$FIXTURES/app.m" >tree.4 2>/dev/null
"$ASSAY" tree --json --contexts "$FIXTURES/app.m" >tree.5
for verb in info check top tree timeline callers annotate convert formats merge patch diff; do
    python3 "$CLI/validate.py" "$verb" "$verb".* || exit
done
