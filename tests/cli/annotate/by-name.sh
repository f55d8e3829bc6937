. "$CLI/lib.sh"
# A file of that name right in a root is shown when nothing better is found, and said; the better place wins.
printf 'events: Ir\nfl=/build/one/a.c\nfn=f\n1 10\nfl=/build/two/a.c\nfn=g\n1 5\n' >p
mkdir -p here/two
echo 'int one;' >here/a.c
echo 'int two;' >here/two/a.c
"$ASSAY" annotate --source-root here p
