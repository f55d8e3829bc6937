. "$CLI/lib.sh"
run_b >b.info
change >c.diff
"$ASSAY" patch b.info --diff c.diff --fail-under-new 66% >/dev/null; echo "$?"
"$ASSAY" patch b.info --diff c.diff --fail-under-new 66.7 >/dev/null; echo "$?"
"$ASSAY" patch b.info --diff c.diff --fail-under-new 101%; echo "$?"
# Nothing measured is no failure; paths that do not fit are one.
printf '' | "$ASSAY" patch b.info --diff - --fail-under-new 100%; echo "$?"
change | sed 's/x\.c/src\/y.c/g' | "$ASSAY" patch b.info --diff -; echo "$?"
change | sed 's/x\.c/src\/y.c/g' | "$ASSAY" patch b.info --diff - --map x.c=src/y.c --csv; echo "$?"
