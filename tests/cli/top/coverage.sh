. "$CLI/lib.sh"
covered >c.info
# Files, least covered first.
"$ASSAY" top c.info
"$ASSAY" top --sort missed --limit 1 c.info
"$ASSAY" top --sort branches --limit 1 c.info
"$ASSAY" top --sort name --markdown c.info
"$ASSAY" top --by directory c.info
