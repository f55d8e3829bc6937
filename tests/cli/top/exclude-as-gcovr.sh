# What gcovr leaves out by the same options. Of a.cpp line 1 has 2 branches, one of them of an exception; line 2 is a brace with 2; line 3 asserts.
printf '%s\n' 'int f(int a) {' '  } // end' '  assert(a);' ' /* } */ x;' '{ /* no code */ }' >a.cpp
branch() { printf '{"count": %s, "throw": %s, "fallthrough": false}' "$1" "$2"; }
line() { printf '{"line_number": %s, "count": 1, "unexecuted_block": false, "branches": [%s, %s]}' "$1" "$(branch 1 false)" "$(branch 0 "$2")"; }
printf '{"format_version": "1", "gcc_version": "12", "files": [{"file": "a.cpp", "functions": [], "lines": [%s, %s, %s, %s, %s]}]}' \
    "$(line 1 true)" "$(line 2 false)" "$(line 3 true)" "$(line 4 false)" "$(line 5 false)" >a.json
for option in --exact --exclude-throw-branches --exclude-unreachable-branches '--exclude-lines=assert' '--exclude-lines=.*assert' '--exclude-lines=*'; do
    echo "$option"
    "$ASSAY" top --csv "$option" a.json | tail -n +2
done
printf '%s\n' SF:a.cpp DA:1,1 BRDA:1,0,0,1 end_of_record >a.info
"$ASSAY" top --csv --exclude-throw-branches a.info | tail -1
"$ASSAY" top --csv --exclude-unreachable-branches --map a.cpp=gone.cpp a.json | tail -1
