# Shares of coverage are never bent: as many decimals as it takes to see what they are, and numbers that are not rounded for programs.
# 7996 of 10000 = 79.96; 99999 of 100000 = 99.999; 1 of 100000 = 0.001; 799999 of 1000000 is 0.0001 points below 80.
lines() { awk -v hit="$1" -v all="$2" 'BEGIN { print "SF:a.c"; for (i = 1; i <= all; i++) print "DA:" i "," (i <= hit); print "end_of_record" }'; }
for figures in 7996/10000 99999/100000 1/100000 100000/100000 0/100000; do
    lines "${figures%/*}" "${figures#*/}" >a.info
    "$ASSAY" top --fail-under 80 a.info | head -1; "$ASSAY" top --csv a.info | cut -d, -f1-4
    "$ASSAY" top --json a.info | grep -m1 percent
done
lines 799999 1000000 >a.info
"$ASSAY" info --fail-under 80 a.info >/dev/null
lines 800000 1000000 >a.info
"$ASSAY" info --fail-under 80 a.info >/dev/null && echo enough
# The title does not round across the gate either.
lines 799996 1000000 >a.info
"$ASSAY" top --fail-under 80 a.info | head -1
