. "$CLI/lib.sh"
# time by rank: 200, 180 and six times 120, as ../top/by-rank.sh has it; ops: 60 on each
python3 "$CLI/ranks.py" ranks.json
"$ASSAY" info --stats=rank ranks.json | sed -n '/^over/,$p'
"$ASSAY" info --stats=node --csv ranks.json | grep stats
"$ASSAY" info --stats=rank --json ranks.json >json
python3 "$CLI/validate.py" info json
"$ASSAY" info --stats --brief ranks.json
echo $?
small >plain
"$ASSAY" info --stats plain
echo $?
