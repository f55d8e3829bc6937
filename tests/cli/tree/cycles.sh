. "$CLI/lib.sh"
# main 10 calls ping 100, which calls pong 200, which calls ping again and leaf 40. The cycle has 300 of its own and 340 with leaf, as `top --cycles` says.
cat >c <<'END'
events: Ir
fl=a.c
fn=main
1 10
cfn=ping
calls=1 3
2 340
fn=ping
3 100
cfn=pong
calls=4 5
4 700
fn=pong
5 200
cfn=ping
calls=3 3
6 500
cfn=leaf
calls=2 1
7 40
fn=leaf
9 40
END
"$ASSAY" top --cycles --exact --limit 1 c
"$ASSAY" tree --cycles --exact c
"$ASSAY" tree --cycles --exact --flat --functions c
"$ASSAY" tree --cycles --exact --bottom-up c
# Without cycles, and where stacks are known, nothing changes.
small >s
"$ASSAY" tree --cycles --csv s >a
"$ASSAY" tree --csv s | cmp - a && echo same
cp "$FIXTURES/demo.xdebug" .
"$ASSAY" tree --cycles --csv demo.xdebug >a
"$ASSAY" tree --csv demo.xdebug | cmp - a && echo same
