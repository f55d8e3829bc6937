. "$CLI/lib.sh"
broken >b
"$ASSAY" top b; echo "$?"
"$ASSAY" top --strict b; echo "$?"
