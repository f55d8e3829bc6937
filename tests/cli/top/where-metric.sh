. "$CLI/lib.sh"
cd "$FIXTURES" || exit
"$ASSAY" top --exact --metric Memory --where 'self > 100' demo.xdebug
