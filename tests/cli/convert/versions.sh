. "$CLI/lib.sh"
small >s
for v in 7 6 5; do
    "$ASSAY" convert s --to webgrind:$v -o w$v 2>/dev/null
    "$ASSAY" info --csv w$v | grep 'file,version'
done
"$ASSAY" convert s --to webgrind:99 -o w99; echo "$?"
ls
