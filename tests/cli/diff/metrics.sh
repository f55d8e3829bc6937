. "$CLI/lib.sh"
# Several metrics and formulas, each before and after; quotients are those of sums. After: g costs 600 Ir and 12 D1mr, CEst = 600 + 10 * 17 = 770.
misses >c
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
