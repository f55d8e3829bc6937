. "$CLI/lib.sh"
# A call graph has no contexts, but callers.
small >s
"$ASSAY" tree --no-estimate s; echo "$?"
"$ASSAY" tree s
"$ASSAY" tree --bottom-up s
