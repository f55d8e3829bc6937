. "$CLI/lib.sh"
small >s
small | sed -e 's/^20 250 25/20 263 25/' >slow
"$ASSAY" diff s slow --fail-above 2% --json 2>/dev/null; echo "$?"
