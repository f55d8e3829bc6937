. "$CLI/lib.sh"
covered >c.info
covered_sources here
"$ASSAY" annotate --source-root here --file b.c --json c.info
"$ASSAY" annotate --source-root here --file b.c --csv c.info
"$ASSAY" annotate --source-root here --file t.c --markdown c.info
