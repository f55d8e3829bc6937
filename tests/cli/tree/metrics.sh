. "$CLI/lib.sh"
# Several metrics and formulas side by side, in every view; quotients are those of sums.
misses >c
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
