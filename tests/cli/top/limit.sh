. "$CLI/lib.sh"
# 30 by default, 0 = all; functions without cost are listed when there is room.
{ printf '# callgrind format\nevents: Ir\nfl=f.c\n'; i=0; while [ $i -lt 40 ]; do printf 'fn=f%s\n1 %s\n' $i $i; i=$((i + 1)); done; } >f
"$ASSAY" top f | wc -l
"$ASSAY" top --limit 0 f | wc -l
"$ASSAY" top --limit 0 f | tail -n 1
"$ASSAY" top --limit 2 f
"$ASSAY" top --limit 100 --json f | grep -c '"name"'
