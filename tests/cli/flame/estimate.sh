. "$CLI/lib.sh"
# A call graph has no stacks; every function of this one has one caller, so that nothing is guessed.
small >s
"$ASSAY" flame --no-estimate s -o f.svg; echo "$?"
ls
"$ASSAY" flame --text --exact --min 0 s
"$ASSAY" flame --metric Dr s | sed -n 's/.*id="subject"[^>]*>\([^<]*\)<.*/\1/p'
"$ASSAY" convert --to folded --no-estimate s; echo "$?"
"$ASSAY" convert --to folded s
# Coverage has neither.
covered >c.info
"$ASSAY" flame c.info; echo "$?"
