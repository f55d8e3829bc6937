. "$CLI/lib.sh"
# -o replaces the file as a whole; standard output stays empty.
small >s
echo old >out
"$ASSAY" info --json -o out s
"$ASSAY" info --json s | cmp - out
ls
