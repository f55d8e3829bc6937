. "$CLI/lib.sh"
covered >c.info
"$ASSAY" top --sort self c.info
small >s
"$ASSAY" top --sort missed s
