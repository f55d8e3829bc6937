. "$CLI/lib.sh"
# Lines with a share of the cost and those around them; a line counts by its total, too.
{
    printf 'events: Ir\nfl=a.c\nfn=main\n'
    printf '3 1\n'
    printf 'cfn=leaf\ncalls=1 30\n5 900\n'
    printf 'fn=leaf\n30 900\n40 99\n'
} >p
seq 1 50 | sed 's/^/line /' >a.c
"$ASSAY" annotate --min 50 --context 1 p
"$ASSAY" annotate --min 50 --context 0 p
"$ASSAY" annotate --min 95 p
"$ASSAY" annotate --all p | wc -l
"$ASSAY" annotate --csv p | wc -l
"$ASSAY" annotate --csv --min 50 --context 0 p
