. "$CLI/lib.sh"
# What is hot is red, what is warm yellow.
nested >s.folded
printf "main;cold 1\n" >>s.folded
"$ASSAY" tree --color always s.folded | sed "s/\x1b/ESC/g"
