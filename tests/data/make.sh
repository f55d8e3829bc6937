#!/bin/sh
# Makes the fixtures of this folder anew with the real tools (valgrind; perf; node; gprof; gperftools; php with xdebug; perl with Devel::NYTProf). Their figures depend on compiler and machine, so
# run it only when a fixture has to change, and look at what the tests say afterwards.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples
work=/tmp/demo # stands in the profiles as the place of program and source
rm -rf "$work"
mkdir "$work"
trap 'rm -rf "$work"' EXIT
cp "$examples/demo.c" "$examples/demo.php" "$examples/demo.pl" "$here/start.c" "$work"
cd "$work"

gcc -g -O1 -static -nostdlib -fno-stack-protector -fno-asynchronous-unwind-tables -o demo demo.c start.c

run_callgrind() {
    out=$1
    shift
    valgrind -q --tool=callgrind --callgrind-out-file="$here/$out" "$@" ./demo
}
run_callgrind demo.callgrind
run_callgrind demo-plain.callgrind --compress-strings=no --compress-pos=no --separate-recs=1
run_callgrind demo-cache.callgrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64
run_callgrind demo-instr.callgrind --dump-instr=yes --collect-jumps=yes --branch-sim=yes
valgrind -q --tool=cachegrind --cache-sim=yes --branch-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 --cachegrind-out-file="$here/demo.cachegrind" ./demo
valgrind -q --tool=cachegrind --cache-sim=no --cachegrind-out-file="$here/demo-ir.cachegrind" ./demo

profile() {
    php -d xdebug.mode=profile -d xdebug.start_with_request=yes -d xdebug.use_compression=0 -d xdebug.output_dir="$work" \
        -d xdebug.profiler_output_name="$1" -d xdebug.profiler_append="$2" demo.php
}
profile one.xdebug 0
profile two.xdebug 1
profile two.xdebug 1
cp one.xdebug "$here/demo.xdebug"
cp two.xdebug "$here/demo2.xdebug"
gzip -9nc one.xdebug >"$here/demo.xdebug.gz"
zstd -q -19 -c one.xdebug >"$here/demo.xdebug.zst"
# a small dictionary: tests unpack it very often
xz -0c one.xdebug >"$here/demo.xdebug.xz"
# A structure file: loops, inlined pairs, a call, two modules (docs/formats/hpcstruct.md).
cat >"$here/demo.hpcstruct" <<'END'
<?xml version="1.0"?>
<!DOCTYPE HPCToolkitStructure [
<!-- skipped -->
<!ELEMENT HPCToolkitStructure (LM)*>
<!ATTLIST HPCToolkitStructure version CDATA #REQUIRED>
]>
<HPCToolkitStructure i="0" version="4.9" n="">
<LM i="1" n="/opt/app/bin/app" has-calls="1" v="{}">
<F i="2" n="/src/app.cc">
<P i="3" n="ns::run(int&amp;)" ln="_ZN2ns3runERi" l="10" v="{[0x1000-0x1001)}">
<S i="4" l="11" v="{[0x1000-0x1008) [0x1050-0x1058)}"/>
<L i="5" l="12" f="/src/app.cc" v="{[0x1048-0x1049)}">
<S i="6" l="13" v="{[0x1008-0x1010)}"/>
<A i="7" l="14" f="/src/app.cc" n="" v="{}">
<A i="8" l="3" f="/src/inl.h" n="half" v="{}">
<S i="9" l="4" v="{[0x1010-0x1018)}"/>
<A i="10" l="5">
<A i="11" l="8" n="quarter">
<S i="12" l="9" v="{[0x1018-0x1020)}"/>
</A></A>
</A></A>
<C i="13" l="15" v="{[0x1020-0x1028)}" t="0x1060"/>
</L>
</P>
</F>
<F i="14" n="[app]">
<P i="15" n="leaf" l="0" v="{[0x1060-0x1061)}">
<S i="16" l="0" v="{[0x1060-0x1070)}"/>
</P>
</F>
</LM>
<LM i="17" n="gpubins/0123.gpubin" has-calls="0" v="{}">
<F i="18" n="/src/kernel.cu">
<P i="19" n="kernel" l="1" v="{[0x0-0x1)}"><S i="20" l="2" v="{[0x0-0x10)}"/></P>
</F>
</LM>
</HPCToolkitStructure>
END
# A profile of pprof by an encoder of our own; the same script makes the fuzz corpus.
python3 "$here/make-pprof.py" "$here/demo.pprof"
# The Firefox Profiler cannot be run here without a browser: one small program, by a script, which makes the fuzz corpus too.
python3 "$here/make-firefox.py" "$here/demo.firefox-profile.json"
# OpenTelemetry profiles by an encoder of our own; the same script makes the fuzz corpus.
python3 "$here/make-otlp.py" "$here"
# The document of an old database (docs/formats/hpcdb-xml.md).
python3 "$here/../formats/hpcdb-xml/makedb.py" old && cp old/dense/experiment.xml "$here/demo.experiment.xml"
# A request that died: what was written so far ends inside a line.
head -c 1000 one.xdebug >"$here/aborted.xdebug"

# The programs that write it are not packaged: one profile of each kind, by hand (docs/formats/speedscope.md).
cat >"$here/demo.speedscope.json" <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "demo@1", "name": "demo", "activeProfileIndex": 0,
 "shared": {"frames": [{"name": "main", "file": "demo.py", "line": 17}, {"name": "fib", "file": "demo.py", "line": 2, "col": 5}, {"name": "sorted"}]},
 "profiles": [
  {"type": "sampled", "name": "main thread", "unit": "milliseconds", "startValue": 0, "endValue": 10,
   "samples": [[0], [0, 1], [0, 1, 1], [], [0, 2], [0, 1]], "weights": [1, 2.5, 1.5, 1, 3, 1]},
  {"type": "evented", "name": "worker", "unit": "milliseconds", "startValue": 0, "endValue": 8,
   "events": [{"type": "O", "frame": 0, "at": 1}, {"type": "O", "frame": 2, "at": 2}, {"type": "C", "frame": 2, "at": 6}, {"type": "C", "frame": 0, "at": 7}]}
 ]}
END

# Samples of the same program, often enough that there are some.
gcc -g -O1 -fno-omit-frame-pointer -Dmain=demo -c demo.c
printf 'int demo(void);\nint main(void) { for (int i = 0; i < 400; i++) demo(); }\n' >often.c
gcc -g -O1 -fno-omit-frame-pointer -o often often.c demo.o
perf record -q -e cpu-clock -F 1999 -g -o perf.data ./often
perf script -i perf.data >"$here/demo.perf-script"
# The recordings themselves say on which host they were made.
record() {
    unshare --uts sh -c 'hostname box && exec "$@"' - perf record -q -N "$@" ./often
}
record -e cpu-clock -F 4999 -g -o "$here/demo.perf-data"
record -e cpu-clock:u -e page-faults:u -c 500000 -z -g -o "$here/demo-z.perf-data"
record -e cpu-clock:u -F 1999 --call-graph dwarf,512 -o - >"$here/demo-dwarf.perf-data"

cp "$examples/demo.js" .
node --cpu-prof --cpu-prof-interval=2000 --cpu-prof-dir="$here" --cpu-prof-name=demo.v8-cpuprofile demo.js
node --heap-prof --heap-prof-interval=131072 --heap-prof-dir="$here" --heap-prof-name=demo.v8-heapprofile demo.js
# The same once more for gprof, which takes a hundred samples in a second.
gcc -pg -g -O1 -fno-optimize-sibling-calls -Dmain=demo -c demo.c
printf 'int demo(void);\nint main(void) { for (int i = 0; i < 9000; i++) demo(); }\n' >gprof.c
gcc -pg -g -O1 -o gprof gprof.c demo.o
./gprof && gprof -b gprof gmon.out >"$here/demo.gprof-text"

# gperftools (libgoogle-perftools4): samples of the same program, and the memory of one that keeps some of what it allocates.
gcc -g -O1 -fno-omit-frame-pointer -no-pie -Dmain=demo -c demo.c
printf 'int demo(void);\nint main(void) { for (int i = 0; i < 40000; i++) demo(); }\n' >often.c
gcc -g -O1 -fno-omit-frame-pointer -no-pie -o often often.c demo.o
libraries=/usr/lib/$(gcc -print-multiarch)
CPUPROFILE_FREQUENCY=250 CPUPROFILE="$here/demo.pprof-legacy" LD_PRELOAD=$libraries/libprofiler.so.0 ./often
cat >heap.c <<'END'
#include <stdlib.h>
static void *keep[400];
__attribute__((noinline)) static void *block(size_t n) { return malloc(n); }
__attribute__((noinline)) static void fill(int n)
{
    for (int i = 0; i < n; i++) keep[i] = block(1000 + (size_t)i);
}
__attribute__((noinline)) static void drop(int n)
{
    for (int i = 0; i < n; i++) free(keep[i]);
}
int main(void)
{
    fill(400);
    drop(300);
    keep[0] = block(5000000);
}
END
gcc -g -O1 -fno-omit-frame-pointer -no-pie -o heap heap.c
HEAPPROFILE=./demo LD_PRELOAD=$libraries/libtcmalloc.so.4 ./heap
mv demo.0001.heap "$here/demo.pprof-legacy.heap"
# A trace of node: spans, async events, instants and names of threads.
cat >timer.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
setTimeout(() => fib(12), 1);
END
node --trace-event-categories node.async_hooks,node.environment,node.bootstrap --trace-event-file-pattern trace.json timer.js
cp trace.json "$here/demo.chrome-trace.json"

(cd "$here/../../examples" && python3 -m cProfile -o "$here/demo.pstats" demo.py)

NYTPROF=file="$here/demo.nytprof:compress=0:calls=2" perl -d:NYTProf demo.pl
NYTPROF=file="$here/demo-z.nytprof:blocks=1:savesrc=0" perl -d:NYTProf demo.pl
# A program that was killed: what was written so far ends inside an event, before anything is said of subs.
head -c 1200 "$here/demo.nytprof" >"$here/killed.nytprof"
chmod 644 "$here"/killed.nytprof "$here"/demo* "$here"/aborted*
