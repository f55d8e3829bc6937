. "$CLI/lib.sh"
# Box::get 30 calls Box::put 20, which calls Cart->add 10, which calls Box::get 5 again; main 1 around all. Self of Box 55 of 66; its total is 65: one stack.
{
    printf 'version: 1\ncreator: xdebug 3.2.0\ncmd: x\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\n'
    printf 'fl=b.php\nfn=Box::get\n1 5\n\n'
    printf 'fl=c.php\nfn=Cart->add\n1 10\ncfl=b.php\ncfn=Box::get\ncalls=1 0 0\n2 5\n\n'
    printf 'fl=b.php\nfn=Box::put\n1 20\ncfl=c.php\ncfn=Cart->add\ncalls=1 0 0\n2 15\n\n'
    printf 'fl=b.php\nfn=Box::get\n1 30\ncfl=b.php\ncfn=Box::put\ncalls=1 0 0\n2 35\n\n'
    printf 'fl=m.php\nfn=main\n1 1\ncfl=b.php\ncfn=Box::get\ncalls=1 0 0\n2 65\n\n'
} >x
"$ASSAY" top --by class --exact x
"$ASSAY" top --by class --csv --sort total x
cp "$FIXTURES/demo.info" .
"$ASSAY" top --by class demo.info
echo $?
