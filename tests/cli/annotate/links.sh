# The paths of a report do not pull in files from outside of the source root, neither by links nor as they are written.
mkdir root elsewhere
echo 'a secret' >elsewhere/secret.c
ln -s ../elsewhere root/out
ln -s "$PWD/elsewhere/secret.c" root/one.c
echo 'in the root' >root/two.c
ln -s two.c root/three.c
for path in out/secret.c one.c two.c three.c "$PWD/elsewhere/secret.c" elsewhere/secret.c; do
    printf 'SF:%s\nDA:1,1\nend_of_record\n' "$path" >x.info
    echo "== $path" | sed "s|$PWD|HERE|"
    "$ASSAY" annotate --source-root root x.info 2>&1 | grep -e 'a secret' -e 'in the root'
    "$ASSAY" convert --to html --source-root root x.info -o site 2>/dev/null
    grep -rl 'a secret' site
    rm -r site
done
echo '== follow'
printf 'SF:out/secret.c\nDA:1,1\nend_of_record\n' >x.info
"$ASSAY" annotate --source-root root --follow-links x.info 2>&1 | grep -c 'a secret'
echo '== mapped'
printf 'SF:/b/secret.c\nDA:1,1\nend_of_record\n' >x.info
"$ASSAY" annotate --source-root root --map /b=elsewhere x.info 2>&1 | grep -c 'a secret'
