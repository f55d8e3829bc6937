# Calls through a function that only passes them on are shown as direct calls: webgrind's own list has call_user_func.
cat >x <<'END'
version: 1
creator: xdebug 3.2.0 (PHP 8.2.0)
cmd: x.php
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

fl=(1) x.php
fn=(1) f
5 300 0

fl=(2) php:internal
fn=(2) php::call_user_func
1 100 0
cfl=(1)
cfn=(1)
calls=1 0 0
7 300 0

fl=(1)
fn=(3) {main}

summary: 900 0

1 500 0
cfl=(2)
cfn=(2)
calls=1 0 0
7 400 0
END
show() { "$ASSAY" top --csv --sort name "$1" | cut -d, -f1,3,5,6; }
"$ASSAY" convert x --to webgrind:7 -o a 2>/dev/null && show a
"$ASSAY" convert x --to webgrind:7 --proxy none -o b 2>/dev/null && show b
"$ASSAY" convert x --to webgrind:7 --proxy f --proxy other -o c 2>/dev/null && show c
