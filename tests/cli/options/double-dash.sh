. "$CLI/lib.sh"
# After -- everything is a file.
small >./--json
"$ASSAY" top -n 1 -- --json
"$ASSAY" top -n 1 --; echo "$?"
