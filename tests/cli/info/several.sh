. "$CLI/lib.sh"
# One of three is missing: the others are shown, and the exit code says so.
small >s
tiny >t
"$ASSAY" info s missing t | grep -v '^  [a-ln-z ]'
"$ASSAY" info --json s missing t >out; echo "$?"
sed -n '/errors/,$p' out
grep -c '"path": "[st]"' out
