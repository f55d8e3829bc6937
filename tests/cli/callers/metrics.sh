. "$CLI/lib.sh"
# Several metrics and formulas side by side; quotients are those of sums.
misses >c
"$ASSAY" callers --metric 'CEst, Ir, per = Ir / D1mr' --per-call f c
"$ASSAY" callers --metric 'per = Ir / D1mr' g c
"$ASSAY" callers --metric 'CEst,per = Ir / D1mr' --per-call --csv g c
"$ASSAY" callers --metric 'CEst, per = Ir / D1mr' --json=short --per-call f c >j && cat j
python3 "$CLI/validate.py" callers j || exit
"$ASSAY" callers --metric 'Ir / ' g c
exit 0
