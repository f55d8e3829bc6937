. "$CLI/lib.sh"
run_b >b.info
"$ASSAY" patch b.info; echo "$?"
"$ASSAY" patch b.info --diff x --git y; echo "$?"
"$ASSAY" patch b.info --diff b.info; echo "$?"
"$ASSAY" patch b.info --diff missing; echo "$?"
"$ASSAY" patch missing --diff - </dev/null; echo "$?"
printf -- '--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n' >cut.diff
"$ASSAY" patch b.info --diff cut.diff --csv; echo "$?"
"$ASSAY" patch b.info --diff cut.diff --strict; echo "$?"
