. "$CLI/lib.sh"
broken >b
"$ASSAY" check --csv b
