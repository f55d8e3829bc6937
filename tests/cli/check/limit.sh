. "$CLI/lib.sh"
broken >b
"$ASSAY" check --limit 1 b
