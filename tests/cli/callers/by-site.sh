. "$CLI/lib.sh"
mutual >m
"$ASSAY" callers --exact --callees --by-site --sort name even m
