. "$CLI/lib.sh"
# Line 1 was hit and is no longer; 2, 3 and 4 are new, 3 of them missed.
run_a >a.info
run_b >b.info
change >c.diff
"$ASSAY" diff a.info b.info --diff c.diff --fail-under-new 80%; echo "$?"
"$ASSAY" diff a.info b.info --csv; echo "$?"
"$ASSAY" diff a.info b.info --markdown 2>/dev/null
"$ASSAY" diff a.info a.info 2>/dev/null
"$ASSAY" diff a.info; echo "$?"
