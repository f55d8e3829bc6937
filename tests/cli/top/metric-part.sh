. "$CLI/lib.sh"
# Any part of a name, in any case, in every verb; several that match are listed.
x="$FIXTURES/demo.xdebug" n="$FIXTURES/demo.nytprof"
first() { head -n 1 | sed "s|^.*/||"; }
"$ASSAY" top --metric memory --limit 1 "$x" | first
"$ASSAY" tree --metric memory --limit 1 "$x" | first
"$ASSAY" callers --metric MEMORY fib "$x" | first
"$ASSAY" annotate --metric memory "$x" | first
"$ASSAY" flame --text --metric memory "$x" | first
"$ASSAY" convert --metric memory "$x" --to dot -o - 2>/dev/null | grep -c 'label="Memory_(bytes)'
"$ASSAY" convert --metric memory "$x" --to folded -o - 2>/dev/null | grep -c '^{main}'
"$ASSAY" diff --metric memory "$x" "$FIXTURES/demo2.xdebug" | sed -n '$p'
"$ASSAY" tree --metric sub_time --limit 1 "$n" | first
"$ASSAY" annotate --metric stmt_time --limit 1 "$n" | first
for verb in top tree; do
    "$ASSAY" "$verb" --metric stmt_ticks "$n" 2>&1 | first
    "$ASSAY" "$verb" --metric e "$x" 2>&1 | first
done
