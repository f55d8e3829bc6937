. "$CLI/lib.sh"
small >s
"$ASSAY" convert s --to csv --metric Dr
