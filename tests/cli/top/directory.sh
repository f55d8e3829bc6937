python3 "$CLI/../formats/hpcdb/makedb.py" db
"$ASSAY" top --exact db
"$ASSAY" top --metric 'TIME (sec)' --csv db
