# What it is, where the cost goes, how to go on: of a profile with stacks, of a call graph, of places alone
cd "$FIXTURES" || exit 1
for f in demo.xdebug demo.callgrind demo.cachegrind; do "$ASSAY" $f; done
