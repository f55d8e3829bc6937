"$ASSAY" top x --limit; echo "$?"
"$ASSAY" top x -n; echo "$?"
"$ASSAY" top --json=yes x; echo "$?"
"$ASSAY" top --metric= x; echo "$?"
