. "$CLI/lib.sh"
covered >c.info
covered_sources here
# What was not hit, and two lines around it; files without such lines are left out.
"$ASSAY" annotate --source-root here --missing c.info
