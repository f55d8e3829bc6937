# The nearest verb is suggested when one is near.
"$ASSAY" inof x; echo "$?"
"$ASSAY" chek x; echo "$?"
"$ASSAY" frobnicate x; echo "$?"
"$ASSAY" help topp; echo "$?"
