. "$CLI/lib.sh"
# What makes the program cov go round for ever is told in words.
store
D=.git/.covdata
echo 'ref: refs/heads/two' >"$D"/refs/heads/one
echo 'ref: refs/heads/one' >"$D"/refs/heads/two
"$ASSAY" cov log one; echo "$?"
"$ASSAY" cov log --oneline --decorate short | wc -l
rm "$D/refs/heads/one" "$D/refs/heads/two"
find "$D/objects/coverage" -type f -exec truncate -s 20 {} +
"$ASSAY" cov log 2>&1 | sed 's/[0-9a-f]\{40\}/ID/'; echo "$?"
# Links to itself would be listed for ever.
ln -s . "$D/refs/heads/round"
ln -s . "$D/refs/heads/about"
"$ASSAY" cov branch; echo "$?"
# No name leads out of the store.
ln -s /etc "$D/refs/heads/out"
"$ASSAY" cov log out/passwd; echo "$?"
"$ASSAY" cov log ../../../../etc/passwd; echo "$?"
