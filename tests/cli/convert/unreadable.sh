. "$CLI/lib.sh"
# Input that cannot be read: 3, and the target is not touched.
echo old >w
: >empty
"$ASSAY" convert missing --to callgrind -o w; echo "$?"
"$ASSAY" convert empty --to callgrind -o w; echo "$?"
cat w
ls -A
