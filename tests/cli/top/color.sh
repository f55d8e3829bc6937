. "$CLI/lib.sh"
# --color always even into a pipe; never by default there, NO_COLOR or not.
tiny >t
"$ASSAY" top --color always t | sed 's/\x1b/ESC/g' | sed -n 1,2p
"$ASSAY" top t | grep -c "$(printf '\033')"
exit 0
