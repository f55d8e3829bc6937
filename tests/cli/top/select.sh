. "$CLI/lib.sh"
# Filters of cost. The stacks have 28 samples: compare is in 16 of them, 12 by itself; hidden, these are sort_all's.
stacks() { printf 'main;read 3\nmain;sort_all 2\nmain;sort_all;compare 12\nmain;sort_all;compare;same 4\nmain;sum 7\n'; }
stacks >t.folded
"$ASSAY" top t.folded --focus compare
"$ASSAY" top t.folded --ignore compare --exact
"$ASSAY" top t.folded --hide '^compare$' --hide read --json
"$ASSAY" top t.folded --focus compare --ignore same --markdown
"$ASSAY" top t.folded --focus sum --csv
