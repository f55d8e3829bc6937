. "$CLI/lib.sh"
# Damage is a warning with its place ...
broken >b
"$ASSAY" info b | sed -n '/warnings/,$p'
"$ASSAY" info --json b | grep -o '"warnings".*'
