. "$CLI/lib.sh"
# A file that cannot be looked at is not ok.
: >empty
printf 'nothing known' >other
"$ASSAY" check --json missing empty other
