: >empty
"$ASSAY" info empty
