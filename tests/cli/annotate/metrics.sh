. "$CLI/lib.sh"
# Several metrics and formulas side by side; quotients are those of sums.
misses >c
printf 'int f(void) { return g() + g() + g() + g(); }\nint g(void) { return 1; }\n' >a.c
"$ASSAY" annotate --calls --metric 'CEst, Ir, per = Ir / D1mr' c
"$ASSAY" annotate --metric 'CEst,per = Ir / D1mr' --csv c
"$ASSAY" annotate --metric 'CEst, per = Ir / D1mr' --json=short c >j && cat j
python3 "$CLI/validate.py" annotate j || exit
"$ASSAY" annotate --metric 'Ir, nothing' c
exit 0
