# --base names what stands first otherwise: a costs 3 more, b is gone.
printf 'a 4\nb 2\n' >before
printf 'a 7\n' >after
"$ASSAY" diff before after >one
"$ASSAY" diff --base before after >two
cmp one two && cat two
"$ASSAY" diff --base before
"$ASSAY" diff --base before after more
"$ASSAY" diff --base missing after
