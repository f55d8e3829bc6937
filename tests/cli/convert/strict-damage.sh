. "$CLI/lib.sh"
# Damaged input is refused before anything is written.
broken >b
echo old >w
"$ASSAY" convert --strict b --to callgrind -o w; echo "$?"
cat w
"$ASSAY" convert b --to callgrind -o w; echo "$?"
"$ASSAY" top --csv w
