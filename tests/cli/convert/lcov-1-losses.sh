# What version 1 of LCOV's format has no room for is named, each kind with its number.
cat >two <<'END'
TN:
SF:a.c
FNL:0,1,9
FNA:0,3,f
BRDA:2,0,x > 0,1
BRDA:2,0,x <= 0,0
BRDA:3,e0,0,1
BRDA:3,e0,1,-
DA:1,3
DA:2,3
DA:3,1
end_of_record
END
"$ASSAY" convert two --from lcov --to lcov:1 -o one
grep BRDA one
