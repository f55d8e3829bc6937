. "$CLI/lib.sh"
# A call graph: main.c has main 100, work 250, idle 0; leaf.c has leaf 50. It has no call stacks, so there are no totals.
small >s
"$ASSAY" top --by file s
"$ASSAY" top --by module --csv s
"$ASSAY" top --by file --sort total s
echo $?
# Xdebug text has the stacks: {main} 5 (a/m.php) calls f 10 (b/f.php), which calls g 20 (b/g.php), which calls f 7 again.
# total: m.php 42; f.php 37, the inner f is in it already; g.php 27; directory b 37 once, self 37.
{
    printf 'version: 1\ncreator: xdebug 3.2.0\ncmd: x\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\n'
    printf 'fl=b/f.php\nfn=f\n1 7\n\n'
    printf 'fl=b/g.php\nfn=g\n1 20\ncfl=b/f.php\ncfn=f\ncalls=1 0 0\n2 7\n\n'
    printf 'fl=b/f.php\nfn=f\n1 10\ncfl=b/g.php\ncfn=g\ncalls=1 0 0\n2 27\n\n'
    printf 'fl=a/m.php\nfn={main}\n1 5\ncfl=b/f.php\ncfn=f\ncalls=1 0 0\n2 37\n\n'
} >x
"$ASSAY" top --by file --exact --sort total x
"$ASSAY" top --by directory --exact x
"$ASSAY" top --by directory --json x >json
python3 "$CLI/validate.py" top json && cat json
"$ASSAY" top --by file --json s >json
python3 "$CLI/validate.py" top json && tail -n +2 json
# Of main, lib/a, lib/a/b and lib/c: the first level below the directory that all share, then two.
printf 'events: Ir\nfl=/p/m.c\nfn=main\n1 1\nfl=/p/lib/a/a.c\nfn=a\n1 2\nfl=/p/lib/a/b/b.c\nfn=b\n1 4\nfl=/p/lib/c/c.c\nfn=c\n1 8\n' >d
"$ASSAY" top --by directory --depth 1 d
"$ASSAY" top --by directory --depth 2 d
"$ASSAY" top --by directory d
