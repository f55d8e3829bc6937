. "$CLI/lib.sh"
# What is neither error nor warning is shown with --verbose, and always in JSON: calls=0 with a cost is rule CG25.
tiny | sed 's/calls=1/calls=0/' >r
"$ASSAY" check r
"$ASSAY" check --verbose r
"$ASSAY" check --json r | grep -o '"severity": "[a-z]*"'
