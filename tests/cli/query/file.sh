. "$CLI/lib.sh"
echo "select count(*) as n from top" >q.sql; "$ASSAY" query -f q.sql "$FIXTURES/demo.callgrind"; "$ASSAY" query -f - "$FIXTURES/demo.callgrind" <q.sql
