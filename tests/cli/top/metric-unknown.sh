. "$CLI/lib.sh"
# Wrong usage, and the metrics there are; in JSON the file is listed under errors.
small >s
tiny >t
"$ASSAY" top --metric none s; echo "$?"
"$ASSAY" top --metric Dr --limit 1 --json s t; echo "$?"
