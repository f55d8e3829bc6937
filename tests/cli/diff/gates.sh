# Before 8 of 10 lines are covered, after 7: 10 points less. Lines 1 and 2 are lost, line 9 is gained.
awk 'BEGIN { print "SF:a.c"; for (i = 1; i <= 10; i++) print "DA:" i "," (i <= 8); print "end_of_record" }' >a.info
awk 'BEGIN { print "SF:a.c"; for (i = 1; i <= 10; i++) print "DA:" i "," (i >= 3 && i <= 9); print "end_of_record" }' >b.info
for gate in '--max-drop 10%' '--max-drop 9.999999' '--max-drop 0' '--fail-on UNC,UIC' '--fail-on lbc,GBC' '--fail-on LBC,XYZ' '--max-drop 101'; do
    # shellcheck disable=SC2086
    "$ASSAY" diff a.info b.info $gate >/dev/null
    echo "$gate: $?"
done 2>&1 | grep -v DF-1
"$ASSAY" diff b.info a.info --max-drop 0 >/dev/null 2>&1; echo "$?"
"$ASSAY" diff a.info b.info --json --max-drop 5 --fail-on LBC 2>/dev/null | grep -A9 max_drop
