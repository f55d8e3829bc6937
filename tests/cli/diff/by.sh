. "$CLI/lib.sh"
# One line of work costs more, another is new; the same by function, by line and by calling context, and what the gate says of each.
profile() {
    printf 'events: Ir\nfl=main.c\nfn=main\n10 100\ncfn=work\ncalls=2 20\n11 %s\nfn=work\n20 %s\n%s' "$1" "$2" "$3"
}
profile 300 300 >before
profile 380 320 '22 60
' >after
for by in function line; do
    "$ASSAY" diff before after --by $by --exact --fail-above 5%
    echo "exit $?"
done
"$ASSAY" diff before after --by line --csv
"$ASSAY" diff before after --by line --normalise --exact --fail-above 5%
"$ASSAY" diff before after --by context
echo "exit $?"
stacks() {
    printf 'main;a;b %s\nmain;b 5\nmain;a;deep;c1;c2;c3;c4;c5;c6 %s\n%s' "$1" "$2" "$3"
}
stacks 100 10 >before.folded
stacks 105 12 'main;a;new 7
' >after.folded
"$ASSAY" diff before.folded after.folded --by context --exact --fail-above 2%
echo "exit $?"
"$ASSAY" diff before.folded after.folded --by context --csv
"$ASSAY" diff before.folded after.folded --by context --limit 1 --json
"$ASSAY" diff before.folded before.folded --by context
