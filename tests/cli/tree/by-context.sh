. "$CLI/lib.sh"
# every context on every rank that has any of it: io on rank 0 only
python3 "$CLI/ranks.py" ranks.json
"$ASSAY" tree --by context,rank --csv ranks.json
"$ASSAY" tree --by context,node ranks.json
"$ASSAY" tree --by context,node --json=short ranks.json >json
python3 "$CLI/validate.py" tree json && cat json
"$ASSAY" tree --by context,node --csv ranks.json ranks.json | cut -d, -f1-7
"$ASSAY" tree --by context,rank --plot line ranks.json
echo $?
