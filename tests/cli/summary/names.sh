# Names that a shell would take apart are quoted, and nothing reaches the terminal as it is
cp "$FIXTURES/demo.xdebug" "it's a file"
sed "s/=fib\$/=fi'b \$(x) \x1b[31m/; s/fib\$/fi'b \$(x) \x1b[31m/" "$FIXTURES/demo.xdebug" >odd
"$ASSAY" "it's a file" ./odd | grep '^  assay'
"$ASSAY" - <"$FIXTURES/demo.info"
