. "$CLI/lib.sh"
# ranks.py: solve 100 on seven ranks and 180 on rank 5: sum 880, mean 110, deviation sqrt(5600 / 8) = 26.46, imbalance 180 / 110 - 1 = 63.64%,
# lost 180 * 8 - 880 = 560. io: rank 0 alone has 60: imbalance 60 / (60 / 8) - 1 = 700%, lost 420. exchange: 20 on all, nothing lost.
python3 "$CLI/ranks.py" ranks.json
"$ASSAY" top --stats=rank ranks.json
"$ASSAY" top --stats=rank --sort imbalance --limit 1 ranks.json
"$ASSAY" top --stats=rank --sort total --limit 1 ranks.json
# two threads of rank 2 count apart: nine of them
"$ASSAY" top --stats=thread --limit 1 --exact ranks.json
"$ASSAY" top --stats=node --by file ranks.json
"$ASSAY" top --stats=rank --csv ranks.json
"$ASSAY" top --stats=rank --metric ops --markdown ranks.json
"$ASSAY" top --stats=rank --json=short --limit 2 ranks.json >json
python3 "$CLI/validate.py" top json && cat json
"$ASSAY" top --stats=gpu ranks.json
echo $?
"$ASSAY" top --stats --metric 'time / ops' ranks.json
echo $?
"$ASSAY" top --stats --by line ranks.json
echo $?
"$ASSAY" top --sort lost ranks.json
echo $?
# a graph knows streams, too: f 10 and 40, g 30 in the first thread alone
cat >graph <<'END'
version: 1
pid: 4
part: 1
thread: 1
events: Ir
fn=f
1 10
fn=g
5 30

pid: 4
part: 1
thread: 2
events: Ir
fn=f
1 40
END
"$ASSAY" top --stats=thread graph
small >plain
"$ASSAY" top --stats plain
echo $?
