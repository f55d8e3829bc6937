. "$CLI/lib.sh"
small >s
"$ASSAY" info --limit 2 s | sed -n '/attributes/,$p'
"$ASSAY" info --limit 0 s | sed -n '/attributes/,$p'
