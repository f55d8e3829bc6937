# The completion is a sound script, and completes verbs, options, words and formats.
command -v bash >/dev/null || { echo "no bash" >&2; exit 77; }
"$ASSAY" help --completion bash >c
bash -n c || exit
cat >try <<'END'
source ./c
try() { COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _assay; echo "${COMPREPLY[*]}"; }
touch 'a file'
try assay inf
try assay top --so
try assay top --sort ''
try assay top --sort = to
try assay top -s n
try assay help conv
try assay convert --to web
try assay info a
try assay info --metric x
try assay convert -O single
try assay convert --option tit
END
bash try
