. "$CLI/lib.sh"
"$ASSAY" query missing.out "select * from top"
