. "$CLI/lib.sh"
# A call graph has no stacks; every function of this one has one caller, so that nothing is guessed.
small >s
"$ASSAY" flame s -o f.svg; echo "$?"
ls
"$ASSAY" flame --text --exact --min 0 --estimate s
"$ASSAY" flame --estimate --metric Dr s | sed -n 's/.*id="subject"[^>]*>\([^<]*\)<.*/\1/p'
"$ASSAY" convert --to folded s; echo "$?"
"$ASSAY" convert --to folded --estimate s
# Coverage has neither.
covered >c.info
"$ASSAY" flame --estimate c.info; echo "$?"
