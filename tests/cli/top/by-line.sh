. "$CLI/lib.sh"
# f: line 1 Ir 100 in a.c, calls g from line 2, which has no cost of its own; g: line 4 Ir 300, of which 200 are code of h.h:9 that was inlined there, and
# line 9 of h.h also has 50 in f: 250 in total, most of it g's. Totals: a.c:2 has the 500 of its calls; f is 650 with them.
cat >c <<'END'
events: Ir Dr
fl=src/a.c
fn=f
1 100 10
fi=inc/h.h
9 50 5
fe=src/a.c
cfn=g
calls=2 4
2 500 20
fn=g
4 300 10
fi=inc/h.h
9 200 10
END
"$ASSAY" top --by line --exact c
"$ASSAY" top --by line --exact --sort total --metric 'Ir, per = Ir / Dr' --limit 2 c
"$ASSAY" top --by line --csv --metric Dr c
"$ASSAY" top --by line --markdown --full-names --sort name c
"$ASSAY" top --by line --file 'h.h' c
"$ASSAY" top --by line --min 40% c
"$ASSAY" top --by line --json=short --limit 1 c >json
python3 "$CLI/validate.py" top json && cat json
# Perl's statements are measured apart from calls: no totals. Functions are identified by their lines.
cp "$FIXTURES/demo.nytprof" "$FIXTURES/demo.info" .
"$ASSAY" top --by line --limit 3 demo.nytprof
"$ASSAY" top --by line --sort total demo.nytprof
echo $?
"$ASSAY" top --by line --per-call c
"$ASSAY" top --by line demo.info
"$ASSAY" top --by file --depth 1 c
echo $?
