. "$CLI/lib.sh"
covered >c.info
"$ASSAY" top --csv c.info
"$ASSAY" top --csv c.info c.info
