# Control characters and bytes that are no UTF-8 never reach the terminal; JSON can be turned back.
printf '# callgrind format\ncmd: \033[31mred\377\nevents: Ir\nfn=a\tb\302\233c\nfl=x\n1 1\n' >h
"$ASSAY" info h | grep cmd
"$ASSAY" info --json h | grep -o '"cmd": "[^"]*"'
cp h "$(printf 'bad\033name')"
"$ASSAY" top "$(printf 'bad\033name')"
"$ASSAY" top "$(printf 'no\033name')"; echo "$?"
