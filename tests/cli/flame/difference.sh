. "$CLI/lib.sh"
# 20 before, 25 after. sort: 14 -> 20, compare 12 -> 16 below it; log is gone, swap is new.
printf 'main;sort 2\nmain;sort;compare 12\nmain;sum 5\nmain;log 1\n' >a.folded
printf 'main;sort 2\nmain;sort;compare 16\nmain;sort;swap 2\nmain;sum 5\n' >b.folded
"$ASSAY" flame --diff --text a.folded b.folded
# Of 20 and 25: what was before counts 5/4.
"$ASSAY" flame --diff --text --normalise --exact a.folded b.folded
# Widths of after: log has none. Widths of before: swap has none.
"$ASSAY" flame --diff a.folded b.folded | sed -n 's/.*<title>\([^<]*\)$/\1/p; s/.*class="said" x="[0-9]*" y="66">//p'
"$ASSAY" flame --diff --before a.folded b.folded | grep -c '<title>swap$'
"$ASSAY" flame --diff --before a.folded b.folded | grep -o 'class="[a-z0-9 ]*" data-mark="[^"]*"><title>.*$'
