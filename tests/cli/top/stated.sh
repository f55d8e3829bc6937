# Reports that hold summaries only show what these state, marked as stated, and gates use it.
cat >devel-cover.json <<'END'
{"runs": [{"perl": "5.36.0"}], "summary": {
 "lib/A.pm": {"statement": {"covered": 3, "error": 1, "total": 4}, "branch": {"covered": 1, "error": 1, "total": 2}, "subroutine": {"covered": 1, "error": 0, "total": 1}},
 "lib/B.pm": {"statement": {"covered": 1, "error": 3, "total": 4}},
 "Total": {"statement": {"covered": 4, "error": 4, "total": 8}, "branch": {"covered": 1, "error": 1, "total": 2}, "subroutine": {"covered": 1, "error": 0, "total": 1}}}}
END
cat >llvm-cov.json <<'END'
{"data": [{"files": [{"filename": "a.c", "summary": {"branches": {"count": 4, "covered": 1, "percent": 25}, "functions": {"count": 2, "covered": 1, "percent": 50},
 "lines": {"count": 10, "covered": 8, "percent": 80}}}], "totals": {"lines": {"count": 10, "covered": 8, "percent": 80}}}],
 "type": "llvm.coverage.json.export", "version": "2.0.1"}
END
cat >istanbul.json <<'END'
{"total": {"lines": {"total": 5, "covered": 3, "skipped": 0, "pct": 60}, "statements": {"total": 6, "covered": 3, "skipped": 0, "pct": 50},
 "functions": {"total": 2, "covered": 1, "skipped": 0, "pct": 50}, "branches": {"total": 0, "covered": 0, "skipped": 0, "pct": 100},
 "branchesTrue": {"total": 0, "covered": 0, "skipped": 0, "pct": "Unknown"}},
 "/src/a.js": {"lines": {"total": 3, "covered": 3, "skipped": 0, "pct": 100}, "functions": {"total": 1, "covered": 1, "skipped": 0, "pct": 100},
 "statements": {"total": 4, "covered": 3, "skipped": 0, "pct": 75}, "branches": {"total": 0, "covered": 0, "skipped": 0, "pct": 100}},
 "/src/b.js": {"lines": {"total": 2, "covered": 0, "skipped": 0, "pct": 0}, "functions": {"total": 1, "covered": 0, "skipped": 0, "pct": 0},
 "statements": {"total": 2, "covered": 0, "skipped": 0, "pct": 0}, "branches": {"total": 0, "covered": 0, "skipped": 0, "pct": 100}}}
END
for file in devel-cover llvm-cov istanbul; do
    "$ASSAY" top --fail-under 70 $file.json; echo "$?"
    "$ASSAY" top --csv --by directory $file.json
done
"$ASSAY" top --json devel-cover.json
"$ASSAY" info --fail-under branches=60 --fail-under-each 80 devel-cover.json >/dev/null
"$ASSAY" top --exclude lib/B.pm --fail-under 75 devel-cover.json | head -1
"$ASSAY" check istanbul.json
