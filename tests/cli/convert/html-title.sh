. "$CLI/lib.sh"
printf 'SF:lib/a.c\nDA:1,3\nend_of_record\n' >a.info
"$ASSAY" convert a.info -o site --to html --title 'Parser <next>'
grep -o '<title>.*</title>\|<h1>.*</h1>' site/index.html site/files/a.c-*.html
"$ASSAY" convert a.info -o all.html --title 'Parser <next>'
grep -o '<title>.*</title>' all.html
"$ASSAY" convert a.info -o plain.html
grep -o '<title>.*</title>\|<h1>Cov.*</h1>' plain.html
