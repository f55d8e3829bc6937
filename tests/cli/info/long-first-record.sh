# A format is recognised although its first record is longer than the 64 KiB that are looked at first.
. "$CLI/lib.sh"
long=$(head -c 100000 /dev/zero | tr '\0' x)
function="{\"execution_count\": 1, \"lineno\": 3, \"name\": \"f<$long>()\"}"
line='{"branches": [], "count": 1, "gcovr/noncode": false, "line_number": 3}'
echo "{\"files\": [{\"file\": \"a.cpp\", \"functions\": [$function], \"lines\": [$line]}], \"gcovr/format_version\": \"0.3\"}" >gcovr
printf '%s\n' "{\"/a.js\": {\"inputSourceMap\": \"$long\", \"path\": \"/a.js\", \"statementMap\": {}, \"fnMap\": {}, \"branchMap\": {}, \"s\": {}, \"f\": {}, \"b\": {}}}" >istanbul
printf '%s\n' "main;$long 3" 'main 4' >folded
printf '%s\n' 'desc: I1 cache: 32768 B' "cmd: ./a $long" 'events: Ir' 'fl=a.c' 'fn=main' '1 5' 'summary: 5' >cachegrind
printf '%s\n' "# $long" 'SF:a.c' 'DA:1,1' 'end_of_record' >lcov
printf '%s\n' "<!-- $long -->" '<coverage line-rate="1"><packages/></coverage>' >cobertura
printf '%s\n' "{\"git\": {\"head\": {\"message\": \"$long\"}}, \"source_files\": []}" >coveralls
for file in gcovr istanbul folded cachegrind lcov cobertura coveralls; do
    echo "$file: $("$ASSAY" info --json $file | grep -o '"format": "[a-z.-]*"')"
    "$ASSAY" info --json - <$file | grep -c '"format"'
done
