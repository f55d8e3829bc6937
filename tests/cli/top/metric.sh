. "$CLI/lib.sh"
small >s
"$ASSAY" top --metric Dr s
"$ASSAY" top --json --metric Dr s | grep -A1 '"metric"'
