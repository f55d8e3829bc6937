. "$CLI/lib.sh"
# --from decides, and what does not fit is then damage.
small >s
"$ASSAY" info --from webgrind s
