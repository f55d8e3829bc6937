. "$CLI/lib.sh"
# Callers and callees with a share of the whole; what is left out is counted.
printf 'events: Ir\nfl=a.c\nfn=main\n1 1\ncfn=half\ncalls=1 2\n1 59\ncfn=rest\ncalls=1 3\n1 40\nfn=half\n2 59\nfn=rest\n3 40\n' >p
"$ASSAY" callers --min 50 main p
"$ASSAY" callers --min 40 --json main p
