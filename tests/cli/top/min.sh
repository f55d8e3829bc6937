. "$CLI/lib.sh"
# Functions with a share of self, or of total when sorted by it; as many as --limit allows.
printf 'events: Ir\nfl=a.c\nfn=main\n1 1\ncfn=half\ncalls=1 2\n1 59\ncfn=rest\ncalls=1 3\n1 40\nfn=half\n2 59\nfn=rest\n3 40\n' >p
"$ASSAY" top --min 40 p
"$ASSAY" top --min 40.1% p
"$ASSAY" top --min 50 --sort total p
"$ASSAY" top --min 1 --limit 1 --csv p
"$ASSAY" top --min 200 p
