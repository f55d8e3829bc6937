. "$CLI/lib.sh"
covered >c.info
covered_sources here
# Self cost, and with the calls made from the line.
small >s
"$ASSAY" annotate s
"$ASSAY" annotate --exact --metric Dr --function work s
"$ASSAY" annotate --csv --file leaf.c s
