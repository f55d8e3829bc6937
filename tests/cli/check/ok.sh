. "$CLI/lib.sh"
small >s
"$ASSAY" check s
