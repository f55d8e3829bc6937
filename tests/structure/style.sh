#!/bin/sh
# C sources are as clang-format-14 writes them (./dev format), shell scripts are clean for shellcheck.
set -eu
cd "$(dirname "$0")/../.."

passed=0 failed=0 skipped=0
one() { # WHAT COMMAND...
    what=$1
    shift
    if ! command -v "$1" >/dev/null; then
        skipped=$((skipped + 1))
    elif "$@"; then
        passed=$((passed + 1))
    else
        echo "FAILED $what"
        failed=$((failed + 1))
    fi
}

for file in $(find src include tests examples bench -name '*.[ch]' | sort); do
    one "$file is not formatted" clang-format-14 --dry-run -Werror --ferror-limit=1 "$file"
done
for file in dev .ci/run $(find tests bench docs -name '*.sh' | sort) $(grep -rlE '^#!.*\b(ba)?sh$' tests bench --include=run 2>/dev/null | sort); do
    one "$file" shellcheck "$file"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
