. "$CLI/lib.sh"
# gzip, zstd and xz are detected from content, whatever the name.
small >plain
"$ASSAY" info --csv plain | sed 's/^plain//' >want
for tool in gzip zstd xz; do
    command -v "$tool" >/dev/null || continue
    "$tool" -c plain >compressed
    "$ASSAY" info --csv compressed | sed 's/^compressed//' | cmp - want
    "$tool" -c plain | "$ASSAY" info --csv - | sed 's/^-//' | cmp - want
done
