. "$CLI/lib.sh"
# The same format goes through the filter, not past it.
covered >c.info
covered_sources here
"$ASSAY" convert c.info --to lcov --map /ci=x --exclude test
"$ASSAY" convert c.info --to lcov --source-root here --exclusions --include b.c
