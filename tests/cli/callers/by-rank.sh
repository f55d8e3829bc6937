. "$CLI/lib.sh"
# solve: 100 on seven ranks, 180 on rank 5, which is the outlier
python3 "$CLI/ranks.py" ranks.json
"$ASSAY" callers --by rank solve ranks.json
"$ASSAY" callers --by rank --csv solve ranks.json
"$ASSAY" callers --by node --markdown 'solve|io' ranks.json
"$ASSAY" callers --by node --json solve ranks.json >json
python3 "$CLI/validate.py" callers json && cat json
for plot in line sorted histogram; do
    "$ASSAY" callers --by rank --plot "$plot" solve ranks.json >"$plot.svg"
    python3 -c 'import sys, xml.dom.minidom as x; d = x.parse(sys.argv[1]); print(sys.argv[1], [t.firstChild.data for t in d.getElementsByTagName("text")])' "$plot.svg"
done
"$ASSAY" callers --by rank --plot line 'solve|io' ranks.json >/dev/null
"$ASSAY" callers --plot line solve ranks.json
echo $?
"$ASSAY" callers --by rank --plot line --json solve ranks.json
echo $?
"$ASSAY" callers --by rank --depth 2 solve ranks.json
echo $?
