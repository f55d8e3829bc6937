# A call without a block: there is no tree from there on, and blocks that follow must not be taken for parts of one.
cat >x <<'END'
version: 1
creator: xdebug 3.2.0
cmd: x.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

fl=(1) x.php
fn=(1) a
1 5 0

fl=(1)
fn=(2) b
1 7 0
cfn=(3) c
calls=1 0 0
1 9 0

fl=(1)
fn=(1)
1 5 0

fl=(1)
fn=(4) {main}
1 3 0

END
"$ASSAY" timeline x
echo "exit $?"
