. "$CLI/lib.sh"
# What matches nothing leaves an empty report and a message; it is no failure.
printf 'main;sort 2\nmain;sum 7\n' >t.folded
"$ASSAY" top t.folded --focus srot --file '*.c'
"$ASSAY" convert t.folded --to folded --focus srot
