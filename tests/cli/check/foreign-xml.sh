# XML whose root belongs to no format is distinguished from what is not XML.
printf '<?xml version="1.0"?>\n<testsuite name="x"/>\n' >junit.xml
printf '<!DOCTYPE html>\n<html lang="en"><body/></html>\n' >page.html
printf '<?xml version="1.0"?>\n<testsui' >cut.xml
printf '<3 and more\n' >heart
printf '<left open' >open
"$ASSAY" check --csv junit.xml page.html cut.xml heart open
"$ASSAY" info junit.xml
