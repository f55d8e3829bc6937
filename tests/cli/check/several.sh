. "$CLI/lib.sh"
# The worst exit code wins, and every file is looked at.
small >s
broken >b
"$ASSAY" check s b missing s; echo "$?"
"$ASSAY" check s b; echo "$?"
"$ASSAY" check s s; echo "$?"
