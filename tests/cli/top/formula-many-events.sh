. "$CLI/lib.sh"
# More than 16 events: rows are short in memory, and the sum comes after the last of them. By hand: f 5 + 10 x 7, g 6, h 1 + 10 x 1; total of f: 75 + 10.
cat >many <<'END'
# callgrind format
events: E0 E1 E2 E3 E4 E5 E6 E7 E8 E9 E10 E11 E12 E13 E14 E15 E16 E17 E18 E19
fl=a.c
fn=f
1 5
2 0 0 0 7
cfn=g
calls=1 9
3 10 0 0 0 0 4
fn=g
9 6
10 0 0 0 0 0 4
fn=h
20 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
END
"$ASSAY" top --metric 'x = E0 + 10*E3' many
"$ASSAY" annotate --metric 'x = E0 + 10*E3' --csv many
