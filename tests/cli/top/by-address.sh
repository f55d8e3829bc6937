. "$CLI/lib.sh"
# Two instructions of line 1, one of them in code inlined from h.h, and what has no address.
cat >c <<'END'
positions: instr line
events: Ir Dr
ob=/bin/app
fl=a.c
fn=main
0x401136 1 100 10
0x40113a 1 30
fi=h.h
0x40113e 7 5 1
fn=idle
0 9 2
END
"$ASSAY" top --by address --exact c
"$ASSAY" top --by address --csv --metric Dr --limit 2 c
"$ASSAY" top --by address --json=short --limit 1 c >json
python3 "$CLI/validate.py" top json && cat json
"$ASSAY" top --by address --sort total c
echo $?
"$ASSAY" top --by address --per-call c
"$ASSAY" top --by line --exact c
cp "$FIXTURES/demo.callgrind" .
"$ASSAY" top --by address demo.callgrind
echo $?
