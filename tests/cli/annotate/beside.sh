. "$CLI/lib.sh"
covered >c.info
covered_sources here
# Cost and coverage of one source side by side; files that only one of them has; whom a line calls; several reports are added up first.
printf 'events: Ir\nfl=/build/src/a.c\nfn=f\n1 10\n2 5\ncfi=/build/src/lib.c\ncfn=lib\ncalls=2 7\n2 40\ncfn=g\ncalls=1 8\n3 6\nfn=g\n8 6\nfl=/build/src/lib.c\nfn=lib\n7 40\n' >p
"$ASSAY" annotate --source-root here --map /build=here --calls p c.info
"$ASSAY" annotate --source-root here --map /build=here --file a.c --json p c.info
"$ASSAY" annotate --source-root here --map /build=here --file a.c --csv p c.info c.info
"$ASSAY" annotate --source-root here --map /build=here --function g p c.info
"$ASSAY" annotate --source-root here --map /build=here --apart --function g p c.info
