. "$CLI/lib.sh"
# An expression that is none is said once, before anything is read; so are streams and times that are not there.
printf 'main;sort 2\nmain;sum 7\n' >t.folded
"$ASSAY" top t.folded missing --hide 'a[b'
echo "exit $?"
"$ASSAY" top t.folded --stream 1
echo "exit $?"
"$ASSAY" top t.folded --time 1..2
echo "exit $?"
"$ASSAY" top t.folded --time 1
