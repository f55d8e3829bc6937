# Every option that help shows is in the man page, with its sentence.
for verb in info check dump top convert formats help; do
    "$ASSAY" help --man "$verb" | sed 's/\\-/-/g; s/\\f.//g' >page
    "$ASSAY" help "$verb" | grep -o '^ *\(-., \)\?--[a-z-]*' | grep -o -e '--.*' | while read -r option; do
        grep -q -e "$option\b" page || echo "$verb: $option is missing"
    done
done
