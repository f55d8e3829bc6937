# A header that stands twice gives an array.
cat >r <<'END'
# callgrind format
events: Ir
desc: Trigger: one
desc: Trigger: two
fn=f
1 1
END
"$ASSAY" info --json r | grep -o '"attributes": {[^}]*}'
