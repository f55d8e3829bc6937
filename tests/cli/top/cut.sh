. "$CLI/lib.sh"
# Half a file of Callgrind's: the figures are those of what is there, and it says so.
head -c 1200 "$FIXTURES/demo.callgrind" >half.callgrind
"$ASSAY" top --limit 2 half.callgrind
