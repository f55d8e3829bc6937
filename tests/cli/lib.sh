# Input files for the cases. Figures are worked out by hand from the Callgrind format specification; every case that prints figures refers to them.
# shellcheck shell=sh

# The file most cases use.
#   self     Ir: main 100, work 250, leaf 50, idle 0    sum 400;   Dr: 10, 25, 5, 0   sum 40
#   total    main is called by nobody: self and its calls, 100 + 300 = 400; work: what its callers were charged, 300; leaf 50; idle 0
#   calls    work 2, leaf 5
small() {
    cat <<'END'
# callgrind format
version: 1
creator: by hand
cmd: demo one
positions: line
events: Ir Dr

ob=demo.bin
fl=main.c
fn=main
10 100 10
cfn=work
calls=2 20
11 300 30
fn=work
20 250 25
cfi=leaf.c
cfn=leaf
calls=5 30
21 50 5
fl=leaf.c
fn=leaf
30 50 5
fl=main.c
fn=idle
40 0 0

totals: 400 40
END
}

# Two functions, one event: a costs 7, b costs 3 and is called once.
tiny() {
    cat <<'END'
# callgrind format
events: Cycles
fl=t.c
fn=a
1 7
cfn=b
calls=1 5
2 3
fn=b
5 3
END
}

# Line 7 is no number (rule CG07), so the costs are 7 and totals: 8 is wrong, too (CG13).
broken() {
    cat <<'END'
# callgrind format
events: Ir
fl=x.c
fn=f
1 7

2 zz
totals: 8
END
}
