# Names that a spreadsheet would run or a terminal obey are shown as text; --csv-raw has the bytes.
. "$CLI/lib.sh"
printf '=cmd|calc;-f 3\n-f 2\n@x\033[2J;operator- 1\n' >s
"$ASSAY" top --csv s
"$ASSAY" top --csv-raw s | od -c | sed 's/ *$//'
"$ASSAY" top --csv-raw --json s
