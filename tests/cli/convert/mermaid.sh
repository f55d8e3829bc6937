. "$CLI/lib.sh"
mutual >m
"$ASSAY" convert m --to mermaid --cycles
