. "$CLI/lib.sh"
# work costs 5 % more than before: 250 became 263 (5.2 %), the whole 400 became 413.
small >s
small | sed -e 's/^20 250 25/20 263 25/' -e 's/^11 300/11 313/' -e 's/^totals: 400/totals: 413/' >slow
"$ASSAY" diff s s --fail-above 0%; echo "$?"
"$ASSAY" diff s slow --fail-above 5%; echo "$?"
"$ASSAY" diff s slow --fail-above 6% --csv; echo "$?"
"$ASSAY" diff s slow --metric Dr --fail-above 0% --markdown; echo "$?"
"$ASSAY" diff s slow --metric nothing; echo "$?"
tiny >t
# "one" lacks Dr, and has its own first
printf 'events: X Ir\nfl=main.c\nfn=work\n1 5 100\n' >one
"$ASSAY" diff s t --csv --metric Cycles; echo "$?"
"$ASSAY" diff s one --metric Dr; echo "$?"
"$ASSAY" diff one s --limit 1; echo "$?"
