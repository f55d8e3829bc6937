. "$CLI/lib.sh"
# Several metrics and formulas, each before and after; quotients are those of sums. After: g costs 600 Ir and 12 D1mr, CEst = 600 + 10 * 17 = 770.
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
sed 's/300 10 5 0/600 12 5 0/' c >d
"$ASSAY" diff --metric 'CEst, Ir, per = Ir / D1mr' c d
"$ASSAY" diff --metric 'per = Ir / D1mr' c d
"$ASSAY" diff --metric 'CEst,per = Ir / D1mr' --csv c d
"$ASSAY" diff --metric 'CEst, per = Ir / D1mr' --json=short c d >j && cat j
python3 "$CLI/validate.py" diff j || exit
"$ASSAY" diff --metric 'CEst' --fail-above 5 c d
echo "$?"
"$ASSAY" diff --metric 'per = Ir / D1mr' --fail-above 5 c d
echo "$?"
