. "$CLI/lib.sh"
store
"$ASSAY" cov show
"$ASSAY" cov show first:lib/
"$ASSAY" cov show HEAD:a.c
"$ASSAY" cov show --prop os=linux --json
"$ASSAY" cov show --prop os=windows; echo "$?"
"$ASSAY" cov show HEAD:nowhere; echo "$?"
