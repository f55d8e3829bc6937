"$ASSAY" formats dot
"$ASSAY" formats hpcrun-measurements
"$ASSAY" formats lcov
"$ASSAY" formats --json mermaid
"$ASSAY" formats dott; echo "$?"
"$ASSAY" formats dot html; echo "$?"
"$ASSAY" formats --csv dot; echo "$?"
