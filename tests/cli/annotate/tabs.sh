# Tabs end at columns 8, 16, ... of the source, whatever bytes are before them: letters of two bytes, letters two columns wide, marks of none. In the second
# run | marks what is after the last tab, which is at the same column of each line.
mkdir here
printf 'a\tb\t|\n1234567\tb\t|\n12345678\t|\n\t\t|\n\303\251\t\303\251\303\251\303\251\t|\n\346\274\242\345\255\227\tb\t|\ne\314\201\tb\t|\n' >here/t.c
printf 'SF:t.c\nDA:1,1\nDA:2,1\nDA:3,1\nDA:4,1\nDA:5,1\nDA:6,1\nDA:7,1\nend_of_record\n' >t.info
"$ASSAY" annotate --source-root here --file t.c t.info
LC_ALL=C.UTF-8 "$ASSAY" annotate --source-root here --file t.c t.info | python3 -c '
import sys, unicodedata
width = lambda text: sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
rows = [line for line in sys.stdin.buffer.read().decode().split("\n") if line.endswith("|")]
print(len(rows), "lines,", len({width(row) for row in rows}), "column")'
