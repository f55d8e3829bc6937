. "$CLI/lib.sh"
# No bytes onto a terminal, unless asked for.
small >s
python3 "$CLI/on_terminal.py" "$ASSAY" convert s --to callgrind; echo "$?"
python3 "$CLI/on_terminal.py" "$ASSAY" convert s --to callgrind -o - | grep -c totals
