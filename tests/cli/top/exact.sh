. "$CLI/lib.sh"
# 1234567 is 1.23 M for people.
sed 's/^1 7$/1 1234567/' <<END >t
$(tiny)
END
"$ASSAY" top t
"$ASSAY" top --exact t
