. "$CLI/lib.sh"
# A compressed file that grows beyond the limit is not read.
command -v gzip >/dev/null || { echo "no gzip" >&2; exit 77; }
{ small; head -c 1000000 /dev/zero | tr '\0' '\n'; } | gzip >s.gz
"$ASSAY" top --max-output 10K s.gz 2>err; echo "$?"
sed 's/offset [0-9]*/offset N/' err >&2
"$ASSAY" top --max-output 1G -n 1 s.gz; echo "$?"
