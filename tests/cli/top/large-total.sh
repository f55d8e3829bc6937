# A total beyond 64 bits is exact: twice 2^63 - 1, and 5, is 2^64 + 3 = 18446744073709551619.
printf '# callgrind format\nevents: Ir\nfl=a.c\nfn=f\n1 9223372036854775807\nfn=g\n2 9223372036854775807\nfn=h\n3 5\n' >b
"$ASSAY" info --json b | grep -o '"total": [0-9]*'
"$ASSAY" top --exact b
