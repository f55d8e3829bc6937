. "$CLI/lib.sh"
# In ns: x 100 * 10 = 1000, y 2 * 1000 = 2000. Counts come after times: s 400, t 10.
printf 'version: 1\ncreator: xdebug 3.2.0\ncmd: /srv/a.php\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\nfl=a.php\nfn={main}\n1 100\n' >x
printf 'version: 1\ncreator: xdebug 2.3.0\ncmd: /srv/b.php\npart: 1\npositions: line\n\nevents: Time\n\nfl=b.php\nfn={main}\n1 2\n' >y
small >s
tiny >t
"$ASSAY" info --brief t x s y
echo
"$ASSAY" info --brief --sort total t x s y
echo
"$ASSAY" info --brief --sort name --exact --limit 2 t x s y
echo
"$ASSAY" info --brief --sort total --csv t x s y
"$ASSAY" info --brief --sort total --json t missing x >json
python3 "$CLI/validate.py" info json && cat json
"$ASSAY" info --brief --limit 1 --json t x | tail -n 3
"$ASSAY" info --sort total x
echo $?
