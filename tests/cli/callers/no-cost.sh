. "$CLI/lib.sh"
covered >c
"$ASSAY" callers f c
