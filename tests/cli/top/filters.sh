. "$CLI/lib.sh"
covered >c.info
# Which files, and under which names.
covered_sources here
"$ASSAY" top --csv --exclude test c.info
"$ASSAY" top --csv --map /ci=. --include "./src/*.c" c.info
"$ASSAY" top --csv --source-root here c.info
"$ASSAY" top --csv --source-root here --exclusions c.info
"$ASSAY" info --exclusions c.info | grep P-1
