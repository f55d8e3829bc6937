. "$CLI/lib.sh"
# Whoever quits the pager early has seen enough: no message, no failure.
{ tiny; i=0; while [ $i -lt 50000 ]; do echo "5 1"; i=$((i + 1)); done; } >t
PAGER='sed 1q' python3 "$CLI/on_terminal.py" "$ASSAY" dump t; echo "$?"
