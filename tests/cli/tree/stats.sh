. "$CLI/lib.sh"
# figures: ../top/stats.sh
python3 "$CLI/ranks.py" ranks.json
"$ASSAY" tree --stats=rank ranks.json
"$ASSAY" tree --stats=rank --bottom-up --limit 2 ranks.json
"$ASSAY" tree --stats=rank --flat --csv ranks.json
"$ASSAY" tree --stats=rank --hot-path --markdown ranks.json
"$ASSAY" tree --stats=node --json=short --depth 1 ranks.json >json
python3 "$CLI/validate.py" tree json && cat json
# one function over ranks
"$ASSAY" tree --function solve --by node ranks.json
"$ASSAY" tree --function solve --by node --json ranks.json >json
python3 "$CLI/validate.py" tree json && cat json
"$ASSAY" tree --by rank ranks.json
echo $?
"$ASSAY" tree --function nothing --by rank ranks.json
echo $?
small >plain
"$ASSAY" tree --stats plain
echo $?
# what is measured does not depend on the rows that are shown: io is on one of eight ranks
"$ASSAY" tree --stats=rank --function io --csv ranks.json | cut -d, -f7-15
