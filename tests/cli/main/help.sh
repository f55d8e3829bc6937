"$ASSAY" --help
"$ASSAY" -h | head -n 1
"$ASSAY" help | head -n 1
