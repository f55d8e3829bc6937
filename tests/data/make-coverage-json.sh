#!/bin/sh
# Makes the fixtures of coverage in JSON: small documents written by hand that hold every member of their format that is read.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

cat >"$here/demo.llvm-cov.json" <<'EOF'
{"data":[{"files":[{"branches":[[3,7,3,12,4,0,0,0,4]],"expansions":[{"branches":[[1,20,1,25,0,2,1,0,4]],"filenames":["demo.c","demo.c"],
"source_region":[5,3,5,8,2,0,1,1],"target_regions":[]}],"filename":"demo.c","mcdc_records":[[3,7,3,18,4,1,0,0,5,[true,false],[]]],
"segments":[[2,12,4,true,true,false],[3,7,4,true,true,false],[3,20,0,true,true,false],[4,2,2,true,false,true],[5,3,2,true,true,false],[8,1,0,false,false,false]],
"summary":{"branches":{"count":4,"covered":2,"notcovered":2,"percent":50},"lines":{"count":7,"covered":6,"percent":85.71}}}],
"functions":[{"branches":[],"count":4,"filenames":["demo.c"],"name":"parse","regions":[[2,12,8,1,4,0,0,0],[4,2,5,3,2,0,0,3]]}],
"totals":{"lines":{"count":7,"covered":6,"percent":85.71}}}],"type":"llvm.coverage.json.export","version":"3.0.1"}
EOF

cat >"$here/demo.gcovr.json" <<'EOF'
{"gcovr/format_version":"0.15","files":[{"file":"demo.c","lines":[
{"line_number":3,"function_name":"parse","count":4,"branches":[{"branchno":0,"count":3,"fallthrough":true,"throw":false},
{"count":1,"fallthrough":false,"throw":true,"gcovr/excluded":true}],"conditions":[{"conditionno":0,"count":2,"covered":1,"not_covered_true":[],
"not_covered_false":[0]}],"calls":[{"callno":0,"returned":4}],"gcovr/md5":"8517cc34da699cac5b4b2c0b1cc6ad3d"},
{"line_number":4,"count":0,"branches":[],"gcovr/excluded":true},{"line_number":5,"count":0,"branches":[],"gcovr/noncode":true}],
"functions":[{"demangled_name":"parse(int)","lineno":3,"execution_count":4,"blocks_percent":75.0,"pos":["3:6","9:1"]},
{"name":"dump","lineno":12,"execution_count":0,"gcovr/excluded":true}]}]}
EOF

cat >"$here/demo.istanbul.json" <<'EOF'
{"/src/a.js":{"path":"/src/a.js","statementMap":{"0":{"start":{"line":1,"column":0},"end":{"line":1,"column":9}},"1":{"start":{"line":3,"column":2},
"end":{"line":4,"column":null}}},"fnMap":{"0":{"name":"f","decl":{"start":{"line":2,"column":9},"end":{"line":2,"column":10}},"loc":{"start":{"line":2,
"column":13},"end":{"line":5,"column":1}},"line":2}},"branchMap":{"0":{"loc":{"start":{"line":3,"column":2},"end":{"line":4,"column":3}},"type":"if",
"locations":[{"start":{"line":3,"column":2},"end":{"line":4,"column":3}},{"start":{},"end":{}}],"line":3}},"s":{"0":1,"1":2},"f":{"0":2},
"b":{"0":[2,0]},"hash":"60a2e64ae226"},
"/src/b.js":{"data":{"path":"/src/b.js","statementMap":{"x":{"start":{"line":1,"column":0},"end":{"line":1,"column":4}}},"fnMap":{},"branchMap":{},
"s":{"x":0},"f":{},"b":{}}}}
EOF

cat >"$here/demo.v8.json" <<'EOF'
{"result":[{"scriptId":"6","url":"node:internal/util","functions":[{"functionName":"f","ranges":[{"startOffset":1,"endOffset":9,"count":4}],
"isBlockCoverage":false}]},
{"scriptId":"42","url":"file:///src/a.js","functions":[{"functionName":"","ranges":[{"startOffset":0,"endOffset":90,"count":1}],"isBlockCoverage":true},
{"functionName":"f","ranges":[{"startOffset":10,"endOffset":60,"count":3},{"startOffset":20,"endOffset":30,"count":0},
{"startOffset":30,"endOffset":50,"count":2},{"startOffset":35,"endOffset":40,"count":0}],"isBlockCoverage":true}]}],"timestamp":4711.5}
EOF

cat >"$here/demo.simplecov.json" <<'EOF'
{"RSpec":{"coverage":{"/src/a.rb":{"lines":[1,null,3,0,"ignored"],"branches":{"[:if, 0, 3, 4, 5, 7]":{"[:then, 1, 4, 6, 4, 9]":0,
"[:else, 2, 3, 4, 5, 7]":3}}}},"timestamp":1700000000},
"Minitest":{"coverage":{"/src/a.rb":{"lines":[1,null,1,1,"ignored"],"branches":{"[:if, 8, 3, 4, 5, 7]":{"[:then, 9, 4, 6, 4, 9]":1,
"[:else, 10, 3, 4, 5, 7]":0}}},"/src/old.rb":[null,2]},"timestamp":1700000001}}
EOF

cat >"$here/demo.coveralls.json" <<'EOF'
{"service_name":"ci","service_job_id":"17","git":{"branch":"main","head":{"id":"89f2d1a","author_name":"x"},"remotes":[]},"parallel":false,
"source_files":[{"name":"b.c","coverage":[null,2],"source":"int x;\nint y;\n"},
{"name":"a.c","source_digest":"c0ace6221b7a32ae3032878382be52c0","coverage":[null,3,0,null,1],"branches":[2,0,0,1,2,0,1,0],
"functions":[{"name":"f","start":2,"exec":true},{"name":"g","start":3,"exec":false}]}]}
EOF

cat >"$here/demo.covdir.json" <<'EOF'
{"children":{"src":{"children":{"a.c":{"coverage":[-1,3,0,-1,2],"coveragePercent":66.67,"linesCovered":2,"linesMissed":1,"linesTotal":3,"name":"a.c"}},
"coveragePercent":66.67,"linesCovered":2,"linesMissed":1,"linesTotal":3,"name":"src"},
"b.c":{"coverage":[0],"coveragePercent":0.0,"linesCovered":0,"linesMissed":1,"linesTotal":1,"name":"b.c"}},
"coveragePercent":50.0,"linesCovered":2,"linesMissed":2,"linesTotal":4,"name":""}
EOF

cat >"$here/demo.devel-cover.json" <<'EOF'
{"runs":[{"OS":"linux","dir":"/src","perl":"5.36.0","run":"t/a.t","start":1700000000.5,"finish":1700000001}],
"summary":{"Total":{"statement":{"covered":5,"error":2,"percentage":71.4,"total":7},"subroutine":{"covered":1,"percentage":100,"total":2,
"uncoverable":1}},
"lib/A.pm":{"statement":{"covered":4,"error":1,"percentage":80,"total":5},"subroutine":{"covered":1,"percentage":100,"total":2,"uncoverable":1}},
"lib/B.pm":{"statement":{"covered":1,"error":1,"percentage":50,"total":2}}}}
EOF

cat >"$here/demo.assay.json" <<'EOF'
{"assay-json":1,"producer":"by hand","metrics":[{"name":"hits","unit":"executions","total":9}],"attributes":[{"key":"test","value":"t"}],
"counts":[{"name":"scripts","value":2}],"modules":[{"path":"libdemo.so","build_id":"89f2"}],
"functions":[{"name":"_Z1fv","link_name":"f()","file":1,"module":1,"line":2,"last_line":6,"column":5,"offset":16,"kind":"internal",
"called":[{"calls":4,"test":"t","blocks":3,"blocks_hit":2,"flags":["only_hit"]}]}],
"files":[{"path":"a.c","origin":"#1","source":"x","lines":[{"line":2,"hits":4,"test":"t","checksum":"s"},{"line":3,"hits":5,"flags":["partial","excluded"]}],
"branches":[{"line":3,"hits":1,"function":1,"block":"0","name":"a","column":3,"end_line":3,"end_column":9,"flags":["exception"]},
{"line":3,"hits":0,"index":1,"target":-2}],"sums":[{"line":4,"kind":"branches","hit":1,"total":2}],
"conditions":[{"line":3,"group":2,"index":1,"sense":true,"hits":1,"text":"a && b"}],
"regions":[{"kind":"statement","function":1,"first":2,"first_column":1,"last":3,"last_column":4,"hits":4}],
"stated":[{"scope":"file","kind":"lines","hit":2,"total":2}]},{"path":"b.c","module":1,"parent":1,"parent_line":7,"file_flags":3}],
"stated":[{"scope":"report","kind":"rate","hit":0.1,"total":-1}]}
EOF
chmod 644 "$here"/demo*.json
