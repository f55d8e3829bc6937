# A file with events and no cost at all: an empty table, shares of nothing.
printf '# callgrind format\nevents: Ir\n' >n
"$ASSAY" top n
printf '# callgrind format\nevents: Ir\nfl=a.c\nfn=f\n1 0\n' >z
"$ASSAY" top z
"$ASSAY" top --json n
