. "$CLI/lib.sh"
# One metric is kept, the other one is a loss; --metric says which.
small >s
"$ASSAY" convert s --to webgrind:7 -o w; echo "$?"
"$ASSAY" top --csv w | cut -d, -f1,3,6,7
"$ASSAY" convert s --to webgrind:7 --metric Dr -o w; echo "$?"
"$ASSAY" top --csv w | cut -d, -f1,3,6,7
