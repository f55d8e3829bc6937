. "$CLI/lib.sh"
# Whoever reads only the beginning gets no complaint.
{ small; i=0; while [ $i -lt 20000 ]; do echo "desc: line $i"; i=$((i + 1)); done; } >s
"$ASSAY" info --limit 0 s | head -n 1
