. "$CLI/lib.sh"
printf 'main;sort 2\n' >a.folded
"$ASSAY" flame --diff a.folded; echo "$?"
"$ASSAY" flame --before a.folded; echo "$?"
"$ASSAY" flame --normalise a.folded; echo "$?"
"$ASSAY" flame --metric cycles a.folded; echo "$?"
"$ASSAY" flame --width 12 a.folded; echo "$?"
small >s
"$ASSAY" flame --diff a.folded s; echo "$?"
"$ASSAY" flame --diff nothing a.folded; echo "$?"
