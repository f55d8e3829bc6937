#!/bin/sh
# The libraries export assay_* and hpcrun_fmt_* (names of a specification) and nothing else, what the public headers declare is there, and it is what
# symbols.txt lists: a name that is gone breaks the programs that use it.
#   symbols.sh SHARED STATIC INCLUDE_FOLDER
#   symbols.sh --update SHARED       after adding a function, or removing one on purpose
set -eu

listed=$(dirname "$0")/symbols.txt
exported() { nm -D --defined-only --format=posix "$1" | cut -d' ' -f1 | sed 's/@.*//' | LC_ALL=C sort -u; }
if [ "$1" = --update ]; then
    exported "$2" >"$listed"
    exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
exported "$1" >"$work/exported"
nm -g --defined-only --format=posix "$2" | grep -v ':$' | cut -d' ' -f1 | grep -v '^__odr_asan' | LC_ALL=C sort -u >"$work/archived"
cat "$3"/assay/*.h | tr '\n' ' ' | grep -o 'ASSAY_API [^;]*(' | grep -oE '(assay|hpcrun_fmt)_[a-z0-9_]*\(' | tr -d '(' | LC_ALL=C sort -u >"$work/declared"

passed=0 failed=0
result() { # FILE-WITH-FAULTS WHAT
    cat "$1"
    if [ -s "$1" ]; then
        failed=$((failed + 1))
        echo "FAILED $2"
    else
        passed=$((passed + 1))
    fi
}

grep -vE '^(assay|hpcrun_fmt)_' "$work/exported" >"$work/foreign" || true
result "$work/foreign" "only assay_* and hpcrun_fmt_* are exported"

LC_ALL=C comm -13 "$work/declared" "$work/exported" | grep -E '^(assay|hpcrun_fmt)_' >"$work/undeclared" || true
result "$work/undeclared" "what is exported is declared in a public header"

LC_ALL=C comm -23 "$work/declared" "$work/exported" >"$work/missing"
result "$work/missing" "what public headers declare is exported"

LC_ALL=C comm -13 "$work/exported" "$listed" >"$work/gone"
result "$work/gone" "names of symbols.txt are exported (if they were removed on purpose: symbols.sh --update)"

LC_ALL=C comm -23 "$work/exported" "$listed" >"$work/new"
result "$work/new" "names that are exported are in symbols.txt (symbols.sh --update adds them)"

LC_ALL=C comm -3 "$work/exported" "$work/archived" >"$work/different"
result "$work/different" "the static library has the same names as the shared one"

[ "$(wc -l <"$listed")" -gt 50 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
