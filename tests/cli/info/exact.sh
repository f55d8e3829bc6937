. "$CLI/lib.sh"
small >s
"$ASSAY" info --exact s | grep -A1 metrics
