. "$CLI/lib.sh"
covered >c.info
for limit in x 101 -1 "lines=," "lines=50," rows=5 "50,,"; do "$ASSAY" top --fail-under "$limit" c.info; done
