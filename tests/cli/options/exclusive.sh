"$ASSAY" info --json --csv x; echo "$?"
"$ASSAY" top --markdown --json x; echo "$?"
