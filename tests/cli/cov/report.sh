. "$CLI/lib.sh"
store
"$ASSAY" cov export first --to report-json -o first.json
"$ASSAY" cov checkout --orphan again
"$ASSAY" cov report first.json --color never -p os=linux -p n=3 -p debug=off
"$ASSAY" cov report first.json --color never -p os=linux
"$ASSAY" cov report first.json --color never --add -p os=qnx
"$ASSAY" cov show --format '%{B[%h1 %Z%n%]}' | head -3
"$ASSAY" cov report missing.json; echo "$?"
echo '{"git": {}}' >bad.json
"$ASSAY" cov report bad.json; echo "$?"
printf 'int f(int x) { // GCOV_EXCL_START\n    return x;\n} // GCOV_EXCL_STOP\n' >a.c
"$ASSAY" cov report first.json -f strip-excludes -o -
echo
"$ASSAY" cov report first.json -f nothing; echo "$?"
