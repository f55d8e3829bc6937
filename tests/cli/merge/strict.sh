. "$CLI/lib.sh"
# Another version of a file, an input that is damaged or missing: nothing is written.
run_a >a.info
run_a | sed s/VER:1/VER:2/ >b.info
"$ASSAY" merge a.info b.info -o ab.info; echo "$?"
"$ASSAY" merge --strict a.info b.info -o strict.info; echo "$?"
"$ASSAY" merge a.info missing -o missing.info; echo "$?"
printf 'nothing' >n
"$ASSAY" merge a.info n -o profile.info; echo "$?"
"$ASSAY" merge a.info -o out; echo "$?"
"$ASSAY" merge; echo "$?"
ls
