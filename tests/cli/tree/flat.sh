. "$CLI/lib.sh"
# Of a call graph: modules, files, functions as top has them, lines and calls.
small >s
"$ASSAY" tree --flat s
"$ASSAY" tree --flat --functions --metric Dr --sort total s
nested >s.folded
"$ASSAY" tree --flat --functions s.folded
