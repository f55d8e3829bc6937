. "$CLI/lib.sh"
# --x=v, --x v, -xv, -x v and bundled flags are the same; options may follow files.
small >s
"$ASSAY" top --limit=2 --exact s >a
"$ASSAY" top --limit 2 --exact s | cmp - a
"$ASSAY" top -n2 -x s | cmp - a
"$ASSAY" top -n 2 -x s | cmp - a
"$ASSAY" top -xn2 s | cmp - a
"$ASSAY" top s -xn 2 | cmp - a
"$ASSAY" top s --limit 7 -n 2 --exact --exact | cmp - a
cat a
