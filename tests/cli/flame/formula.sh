. "$CLI/lib.sh"
# A formula that adds up is a metric like any other, in pictures and in what is written.
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
"$ASSAY" flame --text --metric CEst c
for format in folded dot mermaid; do
    "$ASSAY" convert --to $format --metric 'cost = Ir + 10*L1m + 100*LLm' c 2>/dev/null
done
"$ASSAY" convert --to csv --metric CEst c 2>/dev/null
"$ASSAY" flame --text --metric 'Ir / D1mr' c
"$ASSAY" flame --text --metric 'Ir, D1mr' c
"$ASSAY" convert --to folded --metric 'Ir / D1mr' c
exit 0
