. "$CLI/lib.sh"
# runs.py. Strong, 4 -> 16: 1840 - 1660 = 180 lost, 120 of it in exchange and 60 in setup; efficiency 1660 / 1840 = 90.22%, speedup (1660 / 4) / (1840 / 16) = 3.61.
# 4 -> 64: 900 lost, 600 in exchange; 1660 / 2560 = 64.84%; speedup 415 / 40 = 10.4. Weak, 4 -> 16: 2240 - 480 * 4 = 320, all of it in exchange; 85.71%.
for ranks in 4 16 64; do
    python3 "$CLI/runs.py" "strong$ranks.json" strong $ranks
    python3 "$CLI/runs.py" "weak$ranks.json" weak $ranks
done
"$ASSAY" diff --scaling strong strong4.json strong16.json
"$ASSAY" diff --scaling strong --limit 2 strong4.json strong16.json strong64.json
"$ASSAY" diff --scaling weak --exact weak4.json weak16.json
"$ASSAY" diff --scaling strong --by context --limit 2 strong4.json strong64.json
"$ASSAY" diff --scaling strong --csv strong4.json strong16.json strong64.json
"$ASSAY" diff --scaling weak --markdown --limit 1 weak4.json weak16.json
"$ASSAY" diff --scaling strong --json --limit 1 strong4.json strong16.json >json
python3 "$CLI/validate.py" diff json && cat json
# ranks that are given stand in for those of the files: the same cost on twice the ranks is what weak scaling calls a gain
"$ASSAY" diff --scaling weak --ranks 4,8 --limit 1 strong4.json strong4.json
"$ASSAY" diff --scaling strong --plot strong4.json strong16.json strong64.json >plot.svg
python3 -c 'import sys, xml.dom.minidom as x; print([t.firstChild.data for t in x.parse(sys.argv[1]).getElementsByTagName("text")])' plot.svg
# a call graph has one process
small >a
"$ASSAY" diff --scaling strong --ranks 1,1 --limit 1 a a
"$ASSAY" diff strong4.json strong16.json strong64.json
echo $?
"$ASSAY" diff --scaling strong --ranks 4 strong4.json strong16.json
"$ASSAY" diff --scaling strong --ranks 4,none strong4.json strong16.json
"$ASSAY" diff --plot strong4.json strong16.json
"$ASSAY" diff --scaling strong --fail-above 1% strong4.json strong16.json
echo $?
