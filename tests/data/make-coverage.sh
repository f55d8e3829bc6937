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

cat >"$here/demo.clover.xml" <<'EOF'
<?xml version="1.0" encoding="UTF-8"?>
<coverage generated="1700000000" clover="4.5.2">
  <project timestamp="1700000000" name="demo">
    <metrics statements="3" coveredstatements="2" conditionals="2" coveredconditionals="1" methods="1" coveredmethods="1" elements="6" coveredelements="4" files="1"/>
    <package name="a.b">
      <metrics statements="3" coveredstatements="2" conditionals="2" coveredconditionals="1" methods="1" coveredmethods="1"/>
      <file name="Demo.java" path="/src/a/b/Demo.java">
        <metrics statements="3" coveredstatements="2" conditionals="2" coveredconditionals="1" methods="1" coveredmethods="1" loc="9" ncloc="7"/>
        <class name="Demo"><metrics statements="3" coveredstatements="2" methods="1" coveredmethods="1"/></class>
        <line num="3" type="method" signature="run(int) : void" count="4"/>
        <line num="4" type="stmt" count="4"/>
        <line num="5" type="cond" truecount="4" falsecount="0"/>
        <line num="6" type="stmt" count="0"/>
      </file>
    </package>
  </project>
  <testproject timestamp="1700000000"><package name="t"><file name="T.java"><line num="2" type="stmt" count="1"/></file></package></testproject>
</coverage>
EOF

cat >"$here/demo.jacoco.xml" <<'EOF'
<?xml version="1.0" encoding="UTF-8" standalone="yes"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="demo"><sessioninfo id="one" start="1700000000000" dump="1700000001000"/><group name="g"><package name="a/b">
<class name="a/b/Demo$Inner" sourcefilename="Demo.java"><method name="&lt;init&gt;" desc="()V" line="9"><counter type="METHOD" missed="1" covered="0"/></method></class>
<class name="a/b/Demo"><method name="run" desc="(I)V" line="3"><counter type="INSTRUCTION" missed="2" covered="5"/><counter type="METHOD" missed="0" covered="1"/></method></class>
<class name="a/b/Lost" sourcefilename="Lost.java"><method name="f" desc="()V"/></class>
<sourcefile name="Demo.java"><line nr="3" mi="0" ci="3" mb="0" cb="0"/><line nr="4" mi="2" ci="2" mb="1" cb="1"/><line nr="9" mi="3" ci="0" mb="0" cb="0"/>
<counter type="INSTRUCTION" missed="5" covered="5"/><counter type="LINE" missed="1" covered="2"/></sourcefile>
<sourcefile name="more.c"><line nr="1"/><line nr="2" mb="0" cb="2"/></sourcefile>
<counter type="CLASS" missed="1" covered="1"/></package></group>
<counter type="INSTRUCTION" missed="5" covered="5"/><counter type="BRANCH" missed="1" covered="3"/></report>
EOF

cat >"$here/demo.sonarqube.xml" <<'EOF'
<coverage version="1">
  <file path="src/a &amp; b.c">
    <lineToCover lineNumber="3" covered="true"/>
    <lineToCover lineNumber="4" covered="true" branchesToCover="2" coveredBranches="1"/>
    <lineToCover lineNumber="6" covered="false"/>
  </file>
  <file path="src/empty.c"/>
</coverage>
EOF

# Header 0x1007; session "one"; classes a/B (5 probes) and a/C (9 probes); the first class again, of another run.
{
    printf '\001\300\300\020\007'
    printf '\020\000\003one\000\000\001\213\317\345\150\000\000\000\001\213\317\345\153\350'
    printf '\021\001\002\003\004\005\006\007\010\000\003a/B\005\005'
    printf '\021\021\042\063\104\125\146\167\210\000\003a/C\011\201\001'
    printf '\021\001\002\003\004\005\006\007\010\000\003a/B\005\022'
} >"$here/demo.jacoco.exec"
chmod 644 "$here"/demo*.info "$here"/demo*.gcov "$here/demo.cov" "$here"/demo.clover.xml "$here"/demo.jacoco.* "$here"/demo.sonarqube.xml
