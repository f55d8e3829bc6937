. "$CLI/lib.sh"
store
"$ASSAY" cov log
"$ASSAY" cov log --oneline --decorate short
"$ASSAY" cov log --format '%s: %pVL/%pTL %rt' first..
"$ASSAY" cov log --stat a.c
"$ASSAY" cov log --stat lib
"$ASSAY" cov log -n 1 --json
"$ASSAY" cov log -n 1 --format '%x41%x7a %xzz %x4'
