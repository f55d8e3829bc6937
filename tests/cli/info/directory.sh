mkdir folder
"$ASSAY" info folder
