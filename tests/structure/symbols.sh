#!/bin/sh
# The shared library exports assay_* and hpcrun_fmt_* (names of a specification) and nothing else, and what the public headers declare is there.
#   symbols.sh LIBRARY INCLUDE_FOLDER
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only --format=posix "$1" | cut -d' ' -f1 | sed 's/@.*//' | sort -u >"$work/exported"
cat "$2"/assay/*.h | tr '\n' ' ' | grep -o 'ASSAY_API [^;]*(' | grep -oE '(assay|hpcrun_fmt)_[a-z0-9_]*\(' | tr -d '(' | sort -u >"$work/declared"

passed=0 failed=0
result() { # COUNT-OF-FAULTS WHAT
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $2"
    fi
}

grep -vE '^(assay|hpcrun_fmt)_' "$work/exported" >"$work/foreign" || true
cat "$work/foreign"
result "$(wc -l <"$work/foreign")" "only assay_* and hpcrun_fmt_* are exported"

comm -13 "$work/declared" "$work/exported" | grep -E '^(assay|hpcrun_fmt)_' >"$work/undeclared" || true
cat "$work/undeclared"
result "$(wc -l <"$work/undeclared")" "what is exported is declared in a public header"

comm -23 "$work/declared" "$work/exported" >"$work/missing"
cat "$work/missing"
result "$(wc -l <"$work/missing")" "what public headers declare is exported"

[ "$(wc -l <"$work/declared")" -gt 50 ] || result 1 "the headers declare functions (found $(wc -l <"$work/declared"))"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
