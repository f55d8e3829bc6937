. "$CLI/lib.sh"
# 300 us are 30,000 of 10 ns: only work differs, 200 us before and 250 us after. Other metrics or units cannot be compared.
profile() {
    printf 'events: %s\nfl=a.c\nfn=main\n1 %s\nfn=work\n2 %s\n' "$1" "$2" "$3"
}
profile Time 300 200 >us
profile 'Time_(10ns)' 30000 25000 >ten
profile 'Ir Dr' '1 1' '2 2' >instructions
profile 'Time_(J)' 1 2 >joule
"$ASSAY" diff us ten --csv
"$ASSAY" diff ten us --csv
"$ASSAY" diff us ten --by line --csv
"$ASSAY" diff us instructions; echo "exit $?"
"$ASSAY" diff us joule; echo "exit $?"
