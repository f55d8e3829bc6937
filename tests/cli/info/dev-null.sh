"$ASSAY" info /dev/null
