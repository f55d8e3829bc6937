. "$CLI/lib.sh"
covered >c.info
covered_sources here
"$ASSAY" annotate --source-root here --exclusions --file b.c c.info
