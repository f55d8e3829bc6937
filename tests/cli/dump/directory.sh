python3 "$CLI/../formats/hpcdb/makedb.py" db
"$ASSAY" dump db | grep -E '^(trace.db|meta.db 00000(0|1))|PI\[1\]|Id\['
"$ASSAY" dump db/trace.db | tail -n 2
