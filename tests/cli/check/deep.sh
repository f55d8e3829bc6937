python3 "$CLI/../formats/hpcdb/makedb.py" db
"$ASSAY" check --deep -v db
"$ASSAY" check --deep db/trace.db
