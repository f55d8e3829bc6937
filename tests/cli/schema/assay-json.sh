# What is written as assay-json, and the fixture by hand, are as the schema says.
n=0
for file in "$FIXTURES"/demo*.info "$FIXTURES"/demo.cov "$FIXTURES"/demo*.gcov "$FIXTURES"/demo.*.json \
    "$FIXTURES/demo.callgrind" "$FIXTURES/demo-instr.callgrind" "$FIXTURES/demo.xdebug" "$FIXTURES/demo.nytprof" "$FIXTURES/04.00b.hpcrun" "$FIXTURES/01.01.hpctrace"; do
    n=$((n + 1))
    "$ASSAY" convert "$file" --to assay-json -o "assay-json.$n" || exit
done
cp "$FIXTURES/demo.assay.json" assay-json.hand
python3 "$CLI/validate.py" assay-json assay-json.*
