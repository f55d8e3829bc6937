#!/bin/sh
# C sources are as clang-format-14 writes them (./dev format), shell scripts are clean for shellcheck.
set -eu
cd "$(dirname "$0")/../.."

passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find src include tests examples bench -name '*.[ch]' | sort >"$work/sources"
if command -v clang-format-14 >/dev/null; then
    xargs clang-format-14 --dry-run -Werror --ferror-limit=1 <"$work/sources" 2>"$work/said" || true
    grep -o '^[^: ]*:[0-9]*:[0-9]*: error' "$work/said" | cut -d: -f1 | sort -u >"$work/unformatted" || true
    sed 's/^/FAILED not formatted: /' "$work/unformatted"
    failed=$(wc -l <"$work/unformatted")
    passed=$(($(wc -l <"$work/sources") - failed))
else
    skipped=$(wc -l <"$work/sources")
fi

for file in dev .ci/run $(find tests bench docs -name '*.sh' | sort); do
    if ! command -v shellcheck >/dev/null; then
        skipped=$((skipped + 1))
    elif shellcheck "$file"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED shellcheck: $file"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
