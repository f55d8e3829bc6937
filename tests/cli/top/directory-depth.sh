# Folders below a depth are added up; the rows add up to the whole. As genhtml, without a depth each folder has its own files only.
one() { printf 'SF:%s\nDA:1,1\nDA:2,0\nend_of_record\n' "$1"; }
{ one /ci/p/main.c; one /ci/p/src/a.c; one /ci/p/src/x/b.c; one /ci/p/src/x/y/c.c; one /ci/p/src2/d.c; } >c.info
"$ASSAY" top --by directory c.info
"$ASSAY" top --by directory --depth 1 c.info
"$ASSAY" top --by directory --depth 2 --sort name --csv c.info
{ one a.c; one src/b.c; one src/x/c.c; } >r.info
"$ASSAY" top --by directory --depth 1 r.info
{ one /a.c; one /src/b.c; } >root.info
"$ASSAY" top --by directory --depth 3 root.info
"$ASSAY" top --by directory --depth 1 --json c.info | grep -c '"lines"'
"$ASSAY" top --depth 1 c.info
