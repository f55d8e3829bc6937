# JSON of other programs is named, with what to run instead.
printf '{"is_file":true,"file":{"name":"a.c"},"method":{"name":"f"}}\n{"is_file":true,"file":{"name":"b.c"},"method":{}}\n' >ade
printf '{"coverage":{"a.c":[null,1,0]}}' >codecov
printf '{"snapshot":{"meta":{"node_fields":["type","name"]},"node_count":1},"nodes":[0,0],"edges":[],"strings":[""]}' >heap
printf '%065d' 0 | tr 0 '[' >deep
printf '{"colour":"red"}' >other
"$ASSAY" check ade codecov heap deep other
