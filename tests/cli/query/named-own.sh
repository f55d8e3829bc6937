. "$CLI/lib.sh"
mkdir q; printf -- "-- the answer\nselect 42 as answer;\n" >q/mine.sql; printf "select 43 as answer" >q/grown.sql
"$ASSAY" query --queries q --named mine; "$ASSAY" query --queries q --named grown; "$ASSAY" query --queries q --named | grep -e mine -e grown -e hot-untested
