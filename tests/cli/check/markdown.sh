. "$CLI/lib.sh"
broken >b
"$ASSAY" check --markdown b
