. "$CLI/lib.sh"
covered >c.info
# 5 of 10 lines, 2 of 3 functions, 1 of 2 branches.
for limit in 50 50.1% lines=50,functions=66.6,branches=50 functions=66.7,branches=51 statements=1; do
    "$ASSAY" top --limit 1 --fail-under $limit c.info >/dev/null
    echo "$limit: $?"
done
"$ASSAY" top --fail-under 50 --include src c.info >/dev/null
echo "src: $?"
"$ASSAY" info --fail-under 51 c.info >/dev/null
echo "info: $?"
"$ASSAY" info --fail-under 1 --include nowhere c.info >/dev/null
echo "nothing: $?"
