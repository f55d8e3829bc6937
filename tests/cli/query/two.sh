. "$CLI/lib.sh"
"$ASSAY" query a="$FIXTURES/demo.callgrind" b="$FIXTURES/demo-plain.callgrind" "select p.name, count(*) as functions, sum(self) as self from top t join profile p on p.id = t.profile group by 1"
