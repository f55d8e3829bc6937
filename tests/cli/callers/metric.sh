. "$CLI/lib.sh"
small >s
"$ASSAY" callers --metric Dr --exact work s
