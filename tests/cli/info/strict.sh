. "$CLI/lib.sh"
# ... and with --strict an error.
broken >b
"$ASSAY" info --strict b
