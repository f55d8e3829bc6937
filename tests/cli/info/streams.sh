. "$CLI/lib.sh"
# Two requests that Xdebug appended to one file: {main} 40 + step 60, then {main} 5 + step 20, in units of 10 ns.
request() {
    printf 'version: 1\ncreator: xdebug 3.2.0\ncmd: %s\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\n' "$1"
    printf 'fl=(1) a.php\nfn=(1) step\n3 %s\n\nfl=(1)\nfn=(2) {main}\n1 %s\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 %s\n\n' "$2" "$3" "$2"
}
{ request /srv/slow.php 60 40; request /srv/quick.php 20 5; } >x
"$ASSAY" info x | sed -n '/streams/,/attributes/p'
"$ASSAY" info --exact x | sed -n '/streams/,/attributes/p'
"$ASSAY" info --csv x | grep ',stream'
"$ASSAY" info --json x >json
python3 "$CLI/validate.py" info json && grep -o '"streams": [^]]*]' json
