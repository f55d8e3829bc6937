. "$CLI/lib.sh"
# The schemas are no blank cheque: a document with a renamed member, a wrong type or an unknown word does not pass.
small >s
broken >b
"$ASSAY" info --json s >good
python3 "$CLI/validate.py" info good || exit
sed 's/"format"/"fromat"/' good >renamed
sed 's/"total": 400/"total": "400"/' good >text
for file in renamed text; do
    python3 "$CLI/validate.py" info "$file" >out && echo "$file passed"
done
"$ASSAY" check --json b | sed 's/"severity": "error"/"severity": "grave"/' >word
python3 "$CLI/validate.py" check word >out && echo "word passed"
exit 0
