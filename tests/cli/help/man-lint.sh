# The man pages have nothing that mandoc complains about, and their date can be fixed.
command -v mandoc >/dev/null || { echo "no mandoc" >&2; exit 77; }
for verb in '' info check dump top convert formats help; do
    # shellcheck disable=SC2086  # no verb, no argument
    "$ASSAY" help --man $verb >page.1 || exit
    mandoc -T lint page.1 || exit
    mandoc -T ascii page.1 | col -b | sed -n '/^NAME/{n;p;}'
done
SOURCE_DATE_EPOCH=86400 "$ASSAY" help --man top | sed -n '1s/"assay [0-9.]*"/VERSION/p'
