. "$CLI/lib.sh"
# A closed standard stream is an error, and its number is never given to a file.
small >s
"$ASSAY" info s >&-; echo "$?"
"$ASSAY" info - <&-; echo "$?"
"$ASSAY" convert --strict s --to webgrind -o w 2>&-; echo "$?"
"$ASSAY" convert s --to callgrind -o c >&- 2>&-; echo "$?"
"$ASSAY" check c
# Messages while the report is open do not end up in it.
"$ASSAY" check -o report missing s 2>&-; echo "$?"
cat report
ls
