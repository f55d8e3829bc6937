# Without a verb: wrong usage, and where to find help.
"$ASSAY"
