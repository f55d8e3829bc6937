# Ranges of text become lines where the sources are.
. "$CLI/lib.sh"
mkdir src
printf 'let a = 1;\nfunction f(b) {\n  if (b)\n    return b;\n  return 0;\n}\nf(a);\n' >src/a.js
cat >x.json <<'END'
{"result":[{"scriptId":"1","url":"file:///ci/src/a.js","functions":[
{"functionName":"","isBlockCoverage":true,"ranges":[{"startOffset":0,"endOffset":70,"count":1}]},
{"functionName":"f","isBlockCoverage":true,"ranges":[{"startOffset":11,"endOffset":63,"count":1},{"startOffset":49,"endOffset":63,"count":0}]}]}]}
END
"$ASSAY" top x.json
"$ASSAY" top --source-root . x.json
"$ASSAY" annotate --source-root . x.json
"$ASSAY" annotate x.json
echo '// longer' >>src/a.js
"$ASSAY" top --source-root . x.json
