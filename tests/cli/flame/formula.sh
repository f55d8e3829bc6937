. "$CLI/lib.sh"
# A formula that adds up is a metric like any other, in pictures and in what is written.
misses >c
"$ASSAY" flame --text --metric CEst c
for format in folded dot mermaid; do
    "$ASSAY" convert --to $format --metric 'cost = Ir + 10*L1m + 100*LLm' c 2>/dev/null
done
"$ASSAY" convert --to csv --metric CEst c 2>/dev/null
"$ASSAY" flame --text --metric 'Ir / D1mr' c
"$ASSAY" flame --text --metric 'Ir, D1mr' c
"$ASSAY" convert --to folded --metric 'Ir / D1mr' c
exit 0
