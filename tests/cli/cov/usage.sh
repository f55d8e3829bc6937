. "$CLI/lib.sh"
"$ASSAY" cov; echo "$?"
"$ASSAY" cov shwo; echo "$?"
"$ASSAY" cov log 2>&1 | sed "s|$PWD|HERE|"
"$ASSAY" cov --list-cmds builtins,more
"$ASSAY" help cov show | head -3
"$ASSAY" cov config --file c group.key one && "$ASSAY" cov config --file c group.other two && "$ASSAY" cov config --file c --list
"$ASSAY" cov config --file c --json --get group.key
# A repository that cannot be read is not one without a store.
git init -q broken && printf '[core\n' >>broken/.git/config
"$ASSAY" cov -C broken log 2>&1 | sed "s|$PWD|HERE|" | cut -d: -f1,2
