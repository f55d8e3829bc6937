. "$CLI/lib.sh"
# Too little memory is a failure of the system (4), not of the input. K, M, G in both cases are understood.
small >s
"$ASSAY" top --max-memory 4K s; echo "$?"
"$ASSAY" top --max-memory 64M -n 1 s >a && "$ASSAY" top --max-memory 64m -n 1 s | cmp - a
