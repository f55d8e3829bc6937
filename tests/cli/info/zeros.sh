. "$CLI/lib.sh"
# Metrics with a value come first, the default is marked, and `top` shows it: never one of zeros while another has a value.
printf 'events: UNK Bytes Spare Time\nfl=a.c\nfn=f\n1 0 7000 0 30\nfn=g\n2 0 1000 0 60\n' >z
"$ASSAY" info z
"$ASSAY" info --all z
"$ASSAY" top z
"$ASSAY" callers f z
"$ASSAY" annotate z
printf 'events: UNK Spare\nfl=a.c\nfn=f\n1 0 0\n' >none
"$ASSAY" info none
