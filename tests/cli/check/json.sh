. "$CLI/lib.sh"
broken >b
small >s
"$ASSAY" check --json b s
