. "$CLI/lib.sh"
"$ASSAY" callers work
