# Bytes of no format.
printf '\001\002\003\377\376gar\000bage' >garbage
"$ASSAY" info garbage
