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

# Coverage of three files, in two folders.
#   src/a.c   lines 1 2 3 5 8: 3 of 5, missed 2-3; f (line 1) called, g (line 8) called; branches of line 5: 1 of 2
#   src/b.c   lines 1 2 4 9: 1 of 4, missed 1-4 but not 9; h (line 1) never called; no branches
#   test/t.c  line 3: 1 of 1
#   all       lines 5 of 10, functions 2 of 3, branches 1 of 2
covered() {
    cat <<'END'
TN:unit
SF:/ci/src/a.c
FN:1,f
FN:8,g
FNDA:4,f
FNDA:1,g
BRDA:5,0,0,3
BRDA:5,0,1,0
DA:1,4
DA:2,0
DA:3,0
DA:5,3
DA:8,1
end_of_record
SF:/ci/src/b.c
FN:1,h
FNDA:0,h
DA:1,0
DA:2,0
DA:4,0
DA:9,2
end_of_record
SF:/ci/test/t.c
DA:3,7
end_of_record
END
}

# The sources of `covered`, in the folder $1.
covered_sources() {
    mkdir -p "$1/src" "$1/test"
    printf 'int f(int x) {\n  x += 1;\n  return x;\n}\n#define T if\n\n\nint g(void) { return 1; }\n' >"$1/src/a.c"
    printf 'int h(void) { // LCOV_EXCL_START\n  int y = 1;\n\n  return y; // LCOV_EXCL_STOP\n}\n\n\n\nint z = 2;\n' >"$1/src/b.c"
    printf '#include "a.h"\n\nint t = 1;\n' >"$1/test/t.c"
}

# Two runs of one file. Lines 1 to 4: 2 and 0, 0 and 3, 0 and 0, only in the second 1. Together 3 of 4 lines are hit.
run_a() {
    printf 'TN:a\nSF:x.c\nVER:1\nFN:1,f\nFNDA:2,f\nBRDA:1,0,0,2\nBRDA:1,0,1,-\nDA:1,2\nDA:2,0\nDA:3,0\nend_of_record\n'
}
run_b() {
    printf 'TN:b\nSF:./x.c\nVER:1\nFN:1,f\nFNDA:0,f\nBRDA:1,0,0,0\nBRDA:1,0,1,-\nDA:1,0\nDA:2,3\nDA:3,0\nDA:4,1\nend_of_record\n'
}

# A change of x.c: lines 2 to 4 are new. Of the lines of run_b lines 2 and 4 are hit, 3 is missed.
change() {
    printf 'diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1,0 +2,3 @@\n+two\n+three\n+four\ndiff --git a/README b/README\n--- a/README\n+++ b/README\n@@ -1 +1 @@\n-a\n+b\n'
}

# A repository with two commits and a store with a report for each; times are fixed, so that ids are the same everywhere.
#   first   a.c 2 of 3 lines, lib/b.c 1 of 1           sum 3 of 4, 75 %
#   second  a.c 4 lines, 3 of 4 counted, lib/b.c gone  sum 3 of 4, 75 %
store() {
    export GIT_CONFIG_NOSYSTEM=1 HOME="$PWD" TZ=UTC GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000' SOURCE_DATE_EPOCH=1700000100
    export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
    mkdir lib
    git -c init.defaultBranch=main init -q .
    printf 'int f(int x) {\n    return x;\n}\n' >a.c
    printf 'int g;\n' >lib/b.c
    git add -A && git commit -qm 'First' || return
    "$ASSAY" cov init >/dev/null
    printf 'SF:a.c\nFN:1,f\nFNDA:2,f\nDA:1,2\nDA:2,2\nDA:3,0\nend_of_record\nSF:lib/b.c\nDA:1,1\nend_of_record\n' >first.info
    "$ASSAY" cov import first.info -p os=linux >/dev/null
    "$ASSAY" cov tag first
    printf 'int f(int x) {\n    if (x) return 1;\n    return x;\n}\n' >a.c
    git rm -q lib/b.c && git commit -qam 'Second' || return
    printf 'SF:a.c\nFN:1,f\nFNDA:2,f\nDA:1,2\nDA:2,2\nDA:3,0\nDA:4,2\nend_of_record\n' >second.info
    SOURCE_DATE_EPOCH=1700000200 "$ASSAY" cov import second.info -p os=linux >/dev/null
}

# Functions that call each other, and one that calls itself.
#   self     main 10, even 50, odd 40, leaf 30, again 20                                       sum 150
#   total    main: called by nobody, 10 + 120 + 20 = 150; even: charged to main and odd, 120 + 105 = 225; odd: 140; leaf 30; again: 20, its own call left out
#   cycle    even and odd: self 90, calls that leave it 30 (even to leaf), total 120; one call enters it; even 50 + 30 = 80, odd 40
mutual() {
    cat <<'END'
# callgrind format
events: Ir
fl=m.c
fn=main
1 10
cfn=even
calls=1 10
2 120
cfn=again
calls=1 40
3 20
fn=even
10 50
cfn=odd
calls=5 20
11 140
cfn=leaf
calls=2 30
12 20
cfn=leaf
calls=1 30
13 10
fn=odd
20 40
cfn=even
calls=4 10
21 105
fn=leaf
30 30
fn=again
40 20
cfn=again
calls=3 40
41 12
END
}

# Contexts: main;work;sort;cmp 4, main;work;sort 2, main;work 1, main;init;sort;cmp 3, main;init;sort;sort;cmp 5, main 1                sum 16
#   sort     total 14: by work 6, by init 8, by itself 5 (inside what init called); self 2
stacks() {
    printf 'main;work;sort;cmp 4\nmain;work;sort 2\nmain;work 1\nmain;init;sort;cmp 3\nmain;init;sort;sort;cmp 5\nmain 1\n'
}

# Stacks: main spends 1, work below it 4, leaf below both 5 (3 from work, 2 from main), and work once calls itself: 6. Sum 16.
#   main 1/16   work 10/13 (4 + 6; the outer one has 4 + 3 + 6)   leaf 5/5
nested() {
    cat <<'END'
main 1
main;work 4
main;work;leaf 3
main;work;work 6
main;leaf 2
END
}

# With cache misses, for formulas; quotients are those of sums.
#   f   line 1, self:  Ir 100, D1mr 2, DLmr 1, called once:             CEst = 100 + 10 * 2 + 100 * 1 = 220, Ir / D1mr = 50
#   g   line 2, self:  Ir 300, D1mr 10, D1mw 5, called 4 times by f:    CEst = 300 + 10 * 15 = 450, Ir / D1mr = 30
#   f   total:         Ir 400, D1mr 12, D1mw 5, DLmr 1:                 CEst = 670, Ir / D1mr = 33.3, not 80
misses() {
    cat <<'END'
events: Ir D1mr D1mw DLmr
fl=a.c
fn=f
1 100 2 0 1
cfn=g
calls=4 2
1 300 10 5 0
fn=g
2 300 10 5 0
END
}
