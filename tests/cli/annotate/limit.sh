. "$CLI/lib.sh"
covered >c.info
covered_sources here
"$ASSAY" annotate --limit 1 c.info
"$ASSAY" annotate --file nowhere c.info
