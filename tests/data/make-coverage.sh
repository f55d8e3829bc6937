#!/bin/sh
# Makes the coverage fixtures of this folder anew: what gcov writes of examples/demo.c, and small files written by hand that hold every record
# of their format.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=/tmp/demo
rm -rf "$work"
mkdir "$work"
trap 'rm -rf "$work"' EXIT
cp "$here/../../examples/demo.c" "$work"
cd "$work"
gcc --coverage -O0 -c demo.c
gcc --coverage -o demo demo.o
./demo >/dev/null
gcov -b -c demo.c >/dev/null
cp demo.c.gcov "$here/demo.gcov"

cat >"$here/demo.info" <<'EOF'
TN:first
SF:src/demo.c
FN:3,parse
FN:20,walk(int, char)
FNDA:4,parse
FNDA:0,walk(int, char)
FNF:2
FNH:1
BRDA:5,0,0,3
BRDA:5,0,1,1
BRDA:21,0,0,-
BRDA:21,0,1,-
BRF:4
BRH:2
DA:3,4
DA:5,4
DA:6,3
DA:20,0
DA:21,0
LF:5
LH:3
end_of_record
TN:second
SF:src/demo.c
FN:20,walk(int, char)
FNDA:2,walk(int, char)
DA:20,2
DA:21,2
end_of_record
EOF

cat >"$here/demo-2x.info" <<'EOF'
TN:
SF:src/gate.cpp
VER:7
FNL:0,3,9
FNA:0,5,gate
FNL:1,11,14
FNA:1,2,max<int>
FNA:1,0,max<double>
FNF:2
FNH:2
BRDA:5,f0,0,3
BRDA:5,0,1,2
BRDA:7,e0,0,-
BRDA:7,U0,1,-
BRDA:12,0,a < b,2
BRDA:12,0,!(f(a, b)),0
BRF:5
BRH:3
MCDC:5,2,t,3,0,a
MCDC:5,2,f,2,0,a
MCDC:5,2,t,1,1,b(x, y)
MCDC:5,2,f,0,1,b(x, y)
MCF:4
MCH:3
DA:3,5
DA:5,5,sum5
DA:7,0
DA:11,2
DA:12,2
LF:5
LH:4
end_of_record
EOF

cat >"$here/demo.cov" <<'EOF'
mode: count
example.org/demo/demo.go:3.20,5.9 2 7
example.org/demo/demo.go:5.9,8.3 1 0
example.org/demo/demo.go:3.20,5.9 2 1
EOF

cat >"$here/demo-intermediate.gcov" <<'EOF'
version:8.3.0
cwd:/tmp/demo
file:demo.c
function:3,9,4,parse
lcount:3,4,0
lcount:5,4,1
branch:5,taken
branch:5,nottaken
lcount:7,0,0
branch:7,notexec
EOF
chmod 644 "$here"/demo*.info "$here"/demo*.gcov "$here/demo.cov"
