# A line with branches has a mark for each, or numbers where there are too many for that, never both.
{
    printf 'TN:\nSF:a.c\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nDA:2,1\n'
    for i in $(seq 0 39); do echo "BRDA:2,0,$i,$((i % 2))"; done
    printf 'DA:3,1\nend_of_record\n'
} >info
seq 3 >a.c
"$ASSAY" convert info --to html -o site
grep -rhoE '<td class=b( [^>]*)?>(</?[bi]>|[-+0-9/])*' site | sed 's/ title="[^"]*"//' | sort | uniq -c
