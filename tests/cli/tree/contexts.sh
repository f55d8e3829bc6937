# Lines and the calls that they make, together and apart.
cp -r "$FIXTURES/app.m" app
"$ASSAY" tree --foreign app --function main
"$ASSAY" tree --foreign --contexts app --function main
