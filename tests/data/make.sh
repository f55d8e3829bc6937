#!/bin/sh
# Makes the fixtures of this folder anew with the real tools (valgrind; php with xdebug). Their figures depend on compiler and machine, so
# run it only when a fixture has to change, and look at what the tests say afterwards.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples
work=/tmp/demo # stands in the profiles as the place of program and source
rm -rf "$work"
mkdir "$work"
trap 'rm -rf "$work"' EXIT
cp "$examples/demo.c" "$examples/demo.php" "$here/start.c" "$work"
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
# A request that died: what was written so far ends inside a line.
head -c 1000 one.xdebug >"$here/aborted.xdebug"
chmod 644 "$here"/demo* "$here"/aborted*
