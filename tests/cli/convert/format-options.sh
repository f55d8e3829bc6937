. "$CLI/lib.sh"
small >s
echo "-- a key of the target, alone and with its format"
"$ASSAY" convert s --to callgrind -O no-ids | grep -c '([0-9]*)'
"$ASSAY" convert s --to callgrind --option callgrind:no-ids | grep -c '([0-9]*)'
echo "-- for another format: passed over"
"$ASSAY" convert s --to callgrind -O hpcdb:statistics=stats --no-traces --title x | grep -c '([0-9]*)'
echo "-- faults"
"$ASSAY" convert s --to callgrind -O no-idz; echo "$?"
"$ASSAY" convert s --to callgrind -O title=x; echo "$?"
"$ASSAY" convert s --to callgrind -O no-traces; echo "$?"
"$ASSAY" convert s --to dot -O min=lots; echo "$?"
"$ASSAY" convert s --to dot -O =1; echo "$?"
"$ASSAY" convert s --to dot -O nobody:min=1; echo "$?"
"$ASSAY" top -O no-traces s; echo "$?"
"$ASSAY" merge s -O no-idz --to callgrind; echo "$?"
echo "-- merge writes with them, too"
"$ASSAY" merge s s --to callgrind -O no-ids | grep -c '([0-9]*)'
exit 0
