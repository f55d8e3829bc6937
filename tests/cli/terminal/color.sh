. "$CLI/lib.sh"
# Colour on a terminal; not on a dumb one, not with NO_COLOR, not with --color never, not into a file.
broken >b
export TERM=xterm
python3 "$CLI/on_terminal.py" "$ASSAY" check b; echo "$?"
python3 "$CLI/on_terminal.py" "$ASSAY" check --color never b | grep -c ESC
NO_COLOR=1 python3 "$CLI/on_terminal.py" "$ASSAY" check b | grep -c ESC
NO_COLOR=1 python3 "$CLI/on_terminal.py" "$ASSAY" check --color always b | grep -c ESC
TERM=dumb python3 "$CLI/on_terminal.py" "$ASSAY" check b | grep -c ESC
python3 "$CLI/on_terminal.py" "$ASSAY" check -o out b
grep -c "$(printf '\033')" out
exit 0
