# Recordings of other programs that are known but not read: what they are, and what to do. Packets that end early could be anything.
printf 'gmon\001\000\000\000\000\000\000\000' >gmon.out
printf 'gmon\000\000\000\001\000\000\000\000' >gmon-big-endian.out
printf 'FLR\000\000\002\000\001' >app.jfr
printf '\012\010\100\005\120\001\062\002\010\001\012\004\100\006\120\001' >app.perfetto-trace
printf '\012\010\100\005\120\001\062\002\010\001\012\004\100\006' >other
printf 'goroutine 1 [running]:\nmain.main()\n\t/tmp/main.go:5 +0x1d\n' >goroutines.txt
"$ASSAY" info goroutines.txt gmon.out gmon-big-endian.out app.jfr app.perfetto-trace other
