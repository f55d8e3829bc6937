. "$CLI/lib.sh"
covered >c.info
covered_sources here
# The source beside its hits and branches.
"$ASSAY" annotate --source-root here --file a.c c.info
