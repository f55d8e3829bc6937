#!/bin/sh
# Makes the corpus of the target `symbols`: tiny programs with and without debug information.
#   corpus_symbols.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/corpus/symbols
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >tiny.c <<'END'
static inline int half(int x) { return x / 2; }
static int twice(int x) { return half(x) + half(x + 1) * 2; }
void _start(void)
{
    volatile int a = 4;
    for (int i = 0; i < a; i++) a = twice(a);
}
END
make() { gcc -nostdlib -static -fno-asynchronous-unwind-tables -fcf-protection=none -fno-stack-protector -Wl,-z,noseparate-code -Wl,--build-id=none "$@" tiny.c; }
make -g -O2 -o "$out/dwarf5"
make -gdwarf-4 -O1 -o "$out/dwarf4"
make -g -O0 -o "$out/plain"
make -s -o "$out/stripped"
make -O1 -o "$out/symbols"
objcopy --only-keep-debug "$out/dwarf5" "$out/debug-only"
head -c 1500 "$out/dwarf5" >"$out/cut"
gcc -c -g -O1 -o "$out/object" tiny.c
chmod 644 "$out"/*
