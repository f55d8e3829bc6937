# The version, then one library on each line.
"$ASSAY" --version >out
sed -n '1s/[0-9][0-9.]*$/VERSION/p' out
sed -n '2,4s/ [0-9].*//p' out
"$ASSAY" -V | cmp - out
