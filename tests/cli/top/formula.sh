. "$CLI/lib.sh"
# Columns side by side, formulas over the sums of each function, and the average of a call.
#   f   Ir 100, D1mr 2, DLmr 1, called once:      CEst = 100 + 10 * 2 + 100 * 1 = 220
#   g   Ir 300, D1mr 10, D1mw 5, called 4 times:  CEst = 300 + 10 * 15 = 450
cat >c <<'END'
events: Ir D1mr D1mw DLmr
event: Twice = 2 Ir
fl=a.c
fn=f
1 100 2 0 1
cfn=g
calls=4 2
1 300 10 5 0
fn=g
2 300 10 5 0
END
"$ASSAY" top --metric CEst c
"$ASSAY" top --metric Ir,CEst --per-call c
"$ASSAY" top --metric 'Ir + 10*L1m + 100*LLm' --exact c
"$ASSAY" top --metric 'rate = D1mr / Ir, twice=Twice' --sort total --csv c
"$ASSAY" top --metric 'CEst, D1mr' --json=short --per-call c >j && cat j
python3 "$CLI/validate.py" top j || exit
"$ASSAY" top --metric CEst --min 60 --limit 0 c
for bad in 'Ir +' '(Ir' 'Ir * none' 'L2m' 'Ir,,Dr'; do
    "$ASSAY" top --metric "$bad" c
done
exit 0
