. "$CLI/lib.sh"
covered >c.info
covered_sources here
# Where it was looked for, and the figures without text.
"$ASSAY" annotate --source-root elsewhere --file b.c c.info
