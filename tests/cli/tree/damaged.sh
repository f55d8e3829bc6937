. "$CLI/lib.sh"
# What could be read is shown, and that it is not all.
broken >b
"$ASSAY" tree --flat b; echo "$?"
"$ASSAY" tree --flat --strict b; echo "$?"
