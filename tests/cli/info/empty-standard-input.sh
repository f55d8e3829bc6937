"$ASSAY" info - </dev/null
