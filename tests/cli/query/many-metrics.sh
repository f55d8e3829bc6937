# Of many metrics, a file may have no value of most.
. "$CLI/lib.sh"
{
    echo "events: $(seq -f 'E%g' -s ' ' 20)"
    printf 'fl=a.c\nfn=f\n7 5\nfl=b.c\nfn=g\n9 0 0 3\n'
} >many.callgrind
"$ASSAY" query --from callgrind many.callgrind "select count(*), sum(self), sum(total) from line"
"$ASSAY" query --from callgrind many.callgrind "select source, line, metric, self from line where self > 0"
