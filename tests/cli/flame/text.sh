. "$CLI/lib.sh"
# 20 in total: sort 14 (2 of its own), compare 12 below it, sum 5, and 1 that is below 10 %.
stacks() { printf 'main;sort 2\nmain;sort;compare 12\nmain;sum 5\nmain;log 1\n'; }
stacks >a.folded
"$ASSAY" flame --text a.folded
"$ASSAY" flame --text --min 10% --depth 2 a.folded
# The same from standard input; several files are added up.
stacks | "$ASSAY" flame --text --exact --min 50% -
stacks | "$ASSAY" flame --text --exact --min 50% a.folded a.folded a.folded
