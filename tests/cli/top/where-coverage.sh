. "$CLI/lib.sh"
cd "$FIXTURES" || exit
"$ASSAY" top --where 'calls > 3' demo.info
