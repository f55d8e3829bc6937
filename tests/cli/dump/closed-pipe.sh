. "$CLI/lib.sh"
{ tiny; i=0; while [ $i -lt 50000 ]; do echo "5 1"; i=$((i + 1)); done; } >t
"$ASSAY" dump t | head -n 1
