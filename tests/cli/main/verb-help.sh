# 'assay VERB --help' and 'assay help VERB' are the same, whatever else is on the line.
for verb in info check dump top convert formats help; do
    "$ASSAY" "$verb" --help >a || echo "$verb: $?"
    "$ASSAY" help "$verb" >b || echo "$verb: $?"
    cmp a b && sed -n 1p a
done
"$ASSAY" top --json missing -h | sed -n 1p
