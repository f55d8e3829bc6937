. "$CLI/lib.sh"
covered >c.info
covered_sources here
"$ASSAY" annotate --source-root here --function f c.info
"$ASSAY" annotate --function nothing c.info
