. "$CLI/lib.sh"
covered >c.info
covered_sources here
small >s
"$ASSAY" annotate --missing s
"$ASSAY" annotate --metric Nothing s
"$ASSAY" annotate missing.info
cp "$FIXTURES/demo.hpcstruct" d.hpcstruct
"$ASSAY" annotate d.hpcstruct
