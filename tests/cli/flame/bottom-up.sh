. "$CLI/lib.sh"
# compare costs 5 by itself below sort and 3 below check: 8 of 10, which come first.
printf 'main;sort;compare 5\nmain;check;compare 3\nmain;sort 2\n' >a.folded
"$ASSAY" flame --bottom-up --text a.folded
"$ASSAY" flame --bottom-up --diff a.folded a.folded; echo "$?"
