"$ASSAY" help convert
