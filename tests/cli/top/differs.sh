# What was left out, and totals that the file itself states and that are not those counted, are said on stderr.
cat >py.json <<'END'
{"meta": {"version": "6.5.0", "branch_coverage": false}, "files": {"a.py": {"executed_lines": [1, 2, 4], "missing_lines": [5], "excluded_lines": [],
 "summary": {"covered_lines": 2, "num_statements": 3, "missing_lines": 1, "excluded_lines": 0}}}, "totals": {"covered_lines": 2, "num_statements": 3}}
END
printf '%s\n' TN: SF:a.py DA:1,1 DA:2,0 LF:2 LH:1 BRDA:0,0,0,1 BRDA:0,0,1,- BRDA:1,0,0,1 BRF:3 BRH:2 end_of_record >py.info
for file in py.json py.info; do "$ASSAY" top $file; done
