# Branches at a line without a statement (JavaScript's default arguments) are no lines: lines stay as many as there were, and the loss is named.
printf '%s\n' SF:a.js DA:1,1 DA:3,0 BRDA:1,0,0,1 BRDA:1,0,1,0 BRDA:2,0,0,1 BRDA:4,0,0,0 BRDA:4,0,1,0 end_of_record >a.info
for format in cobertura sonarqube-generic; do
    "$ASSAY" convert a.info --to $format -o out
    "$ASSAY" top --csv --from $format out
done
