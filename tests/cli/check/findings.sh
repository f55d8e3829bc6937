. "$CLI/lib.sh"
broken >b
"$ASSAY" check b
