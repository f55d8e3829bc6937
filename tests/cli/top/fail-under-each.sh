# Each file by itself: of a.c 1 of 2 lines are hit, of b.c 3 of 3, of c.c 0 of 1; only b.c has branches, 1 of 2.
printf '%s\n' SF:a.c DA:1,1 DA:2,0 end_of_record SF:b.c DA:1,1 DA:2,1 DA:3,1 BRDA:1,0,0,1 BRDA:1,0,1,0 end_of_record SF:c.c DA:1,0 end_of_record >a.info
for limit in 50 100 branches=50 branches=60,lines=0 x; do
    "$ASSAY" top --fail-under-each $limit a.info >/dev/null
    echo "$limit: $?"
done
"$ASSAY" info --fail-under-each 50 --exclude c.c a.info >/dev/null; echo "$?"
