. "$CLI/lib.sh"
# ranks.py: rank 5 has 180 + 20, rank 0 has 100 + 20 + 60, the others 120: sum 1100, mean 137.5; rank 5 is 200 / 137.5 - 1 = 45.45% above it.
python3 "$CLI/ranks.py" ranks.json
"$ASSAY" top --by rank ranks.json
"$ASSAY" top --by thread --sort name --limit 4 ranks.json
"$ASSAY" top --by node --metric ops --markdown ranks.json
"$ASSAY" top --by rank --csv ranks.json
# shares: rank 0 has io, rank 5 more of solve; with two clusters rank 5 is nearer to the others
"$ASSAY" top --by rank --cluster --limit 2 ranks.json
"$ASSAY" top --by rank --cluster=3 --limit 2 ranks.json
"$ASSAY" top --by rank --cluster=16 --limit 1 ranks.json
"$ASSAY" top --by rank --cluster=2 --json --limit 2 ranks.json >json
python3 "$CLI/validate.py" top json && cat json
"$ASSAY" top --by rank --json --limit 1 ranks.json ranks.json >json
python3 "$CLI/validate.py" top json
"$ASSAY" top --cluster=2 ranks.json
echo $?
"$ASSAY" top --by gpu ranks.json
echo $?
small >plain
"$ASSAY" top --by stream plain
echo $?
