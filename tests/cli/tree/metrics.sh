. "$CLI/lib.sh"
# Several metrics and formulas side by side, in every view; quotients are those of sums.
#   f   line 1, self:  Ir 100, D1mr 2, DLmr 1, called once:             CEst = 100 + 10 * 2 + 100 * 1 = 220, Ir / D1mr = 50
#   g   line 2, self:  Ir 300, D1mr 10, D1mw 5, called 4 times by f:    CEst = 300 + 10 * 15 = 450, Ir / D1mr = 30
#   f   total:         Ir 400, D1mr 12, D1mw 5, DLmr 1:                 CEst = 670, Ir / D1mr = 33.3, not 80
cat >c <<'END'
events: Ir D1mr D1mw DLmr
fl=a.c
fn=f
1 100 2 0 1
cfn=g
calls=4 2
1 300 10 5 0
fn=g
2 300 10 5 0
END
for view in '' --flat --bottom-up --hot-path; do
    "$ASSAY" tree $view --functions --metric 'CEst, Ir, per = Ir / D1mr' --per-call c
done
"$ASSAY" tree --metric 'per = Ir / D1mr' --markdown c
"$ASSAY" tree --metric 'Ir + 10*L1m + 100*LLm,per = Ir / D1mr' --csv c
"$ASSAY" tree --flat --metric 'CEst, per = Ir / D1mr' --json=short --per-call c >j && cat j
python3 "$CLI/validate.py" tree j || exit
"$ASSAY" tree --metric 'Ir, nothing' c
"$ASSAY" tree --metric 'Ir = D1mr + D1mw' c
exit 0
