. "$CLI/lib.sh"
# On a terminal dump goes through $PAGER; --no-pager, an empty one, and cat do without.
tiny >t
cat >pager <<'END'
#!/bin/sh
echo "paged"
sed -n 1p
END
chmod +x pager
PAGER=./pager python3 "$CLI/on_terminal.py" "$ASSAY" dump t; echo "$?"
PAGER=./pager python3 "$CLI/on_terminal.py" "$ASSAY" dump --no-pager t | sed -n 1p
PAGER='' python3 "$CLI/on_terminal.py" "$ASSAY" dump t | sed -n 1p
PAGER="cat" python3 "$CLI/on_terminal.py" "$ASSAY" dump t | sed -n 1p
PAGER=./pager "$ASSAY" dump t | sed -n 1p
PAGER=./pager python3 "$CLI/on_terminal.py" "$ASSAY" help top; echo "$?"
