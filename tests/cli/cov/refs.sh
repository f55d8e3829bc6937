. "$CLI/lib.sh"
store
"$ASSAY" cov branch topic first
"$ASSAY" cov branch
"$ASSAY" cov branch topic; echo "$?"
"$ASSAY" cov branch ../escape; echo "$?"
"$ASSAY" cov branch -d main 2>&1 | sed "s|$PWD|HERE|"
"$ASSAY" cov checkout topic && "$ASSAY" cov branch --show-current
"$ASSAY" cov branch --json
"$ASSAY" cov checkout main && "$ASSAY" cov reset --color never first
"$ASSAY" cov reflog
"$ASSAY" cov tag -d first && "$ASSAY" cov tag
# A name that would be taken for an option is refused, as in git.
for words in "branch -- -x" "tag -- -x" "checkout --orphan -- -x"; do
    # shellcheck disable=SC2086
    "$ASSAY" cov $words; echo "$?"
done
