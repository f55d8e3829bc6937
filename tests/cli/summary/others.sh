# Coverage, a damaged file, files without any cost
cd "$FIXTURES" || exit 1
"$ASSAY" demo.cobertura.xml aborted.xdebug 01.01.hpctrace demo.hpcstruct
