# Without anything: the commands, as --help lists them.
"$ASSAY"
