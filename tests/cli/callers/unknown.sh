. "$CLI/lib.sh"
small >s
"$ASSAY" callers wrok s
"$ASSAY" callers nothing_like_it s
