# Against the sources: a checksum that matches (base64, hexadecimal), one that does not, and a line past the end.
mkdir src
printf 'one\ntwo\nthree\n' >src/a.c
hex() { printf %s "$1" | md5sum | cut -d' ' -f1; }
base64_of() { python3 -c 'import base64, hashlib, sys; print(base64.b64encode(hashlib.md5(sys.argv[1].encode()).digest()).decode().rstrip("="))' "$1"; }
{
    printf 'SF:src/a.c\nDA:1,1,%s\nDA:2,1,%s\n' "$(hex one)" "$(base64_of two)"
    printf 'DA:3,1,%s\nDA:4,0\nend_of_record\nSF:src/b.c\nDA:1,1\nend_of_record\n' "$(hex two)"
} >c.info
"$ASSAY" check c.info
"$ASSAY" check --source c.info
cd src || exit
"$ASSAY" check --source-root . ../c.info
