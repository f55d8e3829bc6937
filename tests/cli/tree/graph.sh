. "$CLI/lib.sh"
# A call graph has no contexts, but callers.
small >s
"$ASSAY" tree s; echo "$?"
"$ASSAY" tree --bottom-up s
