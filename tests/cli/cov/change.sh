. "$CLI/lib.sh"
store
"$ASSAY" cov diff first HEAD
"$ASSAY" cov patch
"$ASSAY" cov patch --fail-under-new 80% --csv; echo "$?"
"$ASSAY" cov patch first; echo "$?"
"$ASSAY" cov export first --to lcov
"$ASSAY" cov export --to report-json
