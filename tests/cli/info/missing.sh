"$ASSAY" info no/such/file
