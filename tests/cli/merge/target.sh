. "$CLI/lib.sh"
# The common format of the inputs decides; then --to, then the name of the output. An input without anything in it is left out.
small >callgrind.out.1
small >callgrind.out.2
"$ASSAY" merge callgrind.out.1 callgrind.out.2 -o callgrind.out.77 && "$ASSAY" top --csv --limit 1 callgrind.out.77
"$ASSAY" merge "$FIXTURES"/demo.nytprof "$FIXTURES"/demo.nytprof -o nyt.out 2>/dev/null
"$ASSAY" info --json nyt.out | grep -o '"format": "[a-z]*"'
"$ASSAY" merge callgrind.out.1 callgrind.out.2 --to nytprof -o x 2>/dev/null; "$ASSAY" info --json x | grep -o '"format": "[a-z]*"'
: >empty
"$ASSAY" merge callgrind.out.1 empty -o one && "$ASSAY" top --csv --limit 1 one
"$ASSAY" merge callgrind.out.1 empty --strict -o two; echo "exit $?"
"$ASSAY" merge empty empty --to callgrind -o two; echo "exit $?"
# The same name and file in two modules are two functions.
printf 'events: Ir\nob=libc.so\nfl=???\nfn=catch\n0 10\nob=ld.so\nfn=catch\n0 5\n' >m
"$ASSAY" merge m m -o n && "$ASSAY" top --csv n
