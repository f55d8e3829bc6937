. "$CLI/lib.sh"
printf 'SF:lib/a.c\nFN:1,f\nFNDA:3,f\nFN:4,g\nFNDA:0,g\nBRDA:2,0,0,3\nBRDA:2,0,1,0\nDA:1,3\nDA:2,3\nDA:4,0\nend_of_record\n' >a.info
for target in clover jacoco gcovr-json istanbul; do
    "$ASSAY" convert a.info --to $target
done
