[ "$(id -u)" -ne 0 ] || { echo "root reads everything" >&2; exit 77; }
: >secret
chmod 0 secret
"$ASSAY" info secret
