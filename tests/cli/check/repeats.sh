. "$CLI/lib.sh"
# Of each rule the first finding is shown, with the number of others. --all lists a hundred and counts the rest: 120 lines with more costs than events.
{ printf '# callgrind format\nevents: Ir\nfn=f\n'; i=0; while [ $i -lt 120 ]; do echo "1 2 3"; i=$((i + 1)); done; } >r
"$ASSAY" check r; echo "$?"
"$ASSAY" check --all r >out; echo "$?"
wc -l <out
sed -n '1p;100,$p' out
"$ASSAY" check --json r | grep -o '"repeats": [0-9]*'
