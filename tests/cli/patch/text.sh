. "$CLI/lib.sh"
# Two of three new lines are covered; together with the first run that stays so.
run_a >a.info
run_b >b.info
change >c.diff
"$ASSAY" patch b.info --diff c.diff
change | "$ASSAY" patch a.info b.info --diff - --csv
"$ASSAY" patch b.info --diff c.diff --markdown
"$ASSAY" patch b.info --diff c.diff --annotations github
