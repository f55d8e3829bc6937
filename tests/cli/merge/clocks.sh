# NYTProf streams of one program by clocks of a tenth and three tenths of the ticks: the sum is in ticks of the finer clock.
# The stream has 1137 ticks: 1137 + 11370, and again 11370 to what was written.
data=$CLI/../data
sed 's/^:ticks_per_sec=.*/:ticks_per_sec=1000000/' "$data/demo.nytprof" >tenth
sed 's/^:ticks_per_sec=.*/:ticks_per_sec=3000000/' "$data/demo.nytprof" >third
"$ASSAY" merge "$data/demo.nytprof" tenth -o a.nytprof 2>/dev/null
"$ASSAY" merge tenth "$data/demo.nytprof" -o b.nytprof 2>/dev/null
cmp a.nytprof b.nytprof && "$ASSAY" info a.nytprof | grep -E 'stmt_ti|ticks_per_sec'
"$ASSAY" merge "$data/demo.nytprof" third -o c.nytprof
# again, with what was written
"$ASSAY" merge a.nytprof tenth -o d.nytprof 2>/dev/null
"$ASSAY" info d.nytprof | grep -E 'stmt_ti|ticks_per_sec'
