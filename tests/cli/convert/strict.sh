. "$CLI/lib.sh"
# Refused before anything is written: the old file stays, and no other file is left.
small >s
echo old >w
"$ASSAY" convert --strict s --to webgrind -o w; echo "$?"
cat w
ls -A
"$ASSAY" convert --strict s --to callgrind -o w; echo "$?"
"$ASSAY" check w
