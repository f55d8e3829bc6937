#!/bin/sh
# Each public header compiles alone, as C17 and as C++17, with all warnings on.
#   headers.sh INCLUDE_FOLDER
set -eu

passed=0 failed=0 skipped=0
try() { # COMPILER OPTIONS... HEADER is last
    if ! command -v "$1" >/dev/null; then
        skipped=$((skipped + 1))
    elif "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$include"; then
        passed=$((passed + 1))
    else
        echo "FAILED $*"
        failed=$((failed + 1))
    fi
}

include=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for header in "$include"/assay/*.h; do
    name=assay/$(basename "$header")
    # twice: it must guard itself
    printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$name" "$name" >"$work/alone.c"
    cp "$work/alone.c" "$work/alone.cc"
    try gcc -std=c17 "$work/alone.c"
    try g++ -std=c++17 "$work/alone.cc"
    try clang-14 -std=c17 "$work/alone.c"
    try clang++-14 -std=c++17 "$work/alone.cc"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
