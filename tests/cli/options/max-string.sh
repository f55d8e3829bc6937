. "$CLI/lib.sh"
# The limit holds for names wherever they come from, and the message says how to raise it.
small >s
"$ASSAY" top --max-string 3 s; echo "$?"
"$ASSAY" top --max-string 1K -n 1 s
