. "$CLI/lib.sh"
small | "$ASSAY" info - | sed -n 1,2p
