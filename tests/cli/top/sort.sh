. "$CLI/lib.sh"
small >s
for key in self total calls name; do
    echo "$key"
    "$ASSAY" top --sort "$key" --csv s | cut -d, -f1,3,5,6
done
