. "$CLI/lib.sh"
covered >c.info
covered_sources here
"$ASSAY" annotate --color always --source-root here --file a.c c.info
