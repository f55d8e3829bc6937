# shellcheck disable=SC2016,SC2094 # $self is a word of formulas
. "$CLI/lib.sh"
# lib.sh: main Ir 100 Dr 10, total 400 / 40; work 250 / 25, total 300 / 30; leaf 50 / 5; the whole 400 / 40. Ir / Dr is 10 everywhere.
small >small
"$ASSAY" top --metric 'per = Ir / Dr, low = min(Ir, 10 * Dr, 200), far = abs(Dr - Ir), root = sqrt($share(Ir))' small
# own: 100 / 400, 250 / 300, 50 / 50; in both columns
"$ASSAY" top --metric 'own = $self(Ir) / $total(Ir), Ir' small
"$ASSAY" tree --flat --functions --metric 'own = $self(Ir) / $total(Ir), Ir' --csv small
"$ASSAY" top --metric 'own = $self(Ir) / $total(Ir)' --json=short --limit 1 small >json
python3 "$CLI/validate.py" top json && cat json
# chosen by a formula: 0.25 is below a half, 0.83 and 1 are not; --min looks at Ir, of which main has 25% and work 62.5%
"$ASSAY" top --metric 'own = $self(Ir) / $total(Ir)' --at-most 0.5 small
"$ASSAY" top --metric 'own = $self(Ir) / $total(Ir)' --at-least 0.5 --min 30% small
"$ASSAY" top --at-least 100 --sort name small
# named in a file; one may use another
cat >my.metrics <<'END'
# a comment
reads = Dr / Ir

twice = 2 * reads
END
"$ASSAY" top --metrics my.metrics --metric 'twice, x = twice + reads' --limit 1 small
"$ASSAY" tree --metrics my.metrics --metric 'reads, Ir' --limit 1 small
"$ASSAY" diff --metrics my.metrics --metric 'reads, Ir' small small
# what the file itself carries, and what is ready
sed 's/^events: .*/&\nevent: All = Ir + 2 Dr/' small >carried
"$ASSAY" top --metric 'All, half = All / 2' --limit 1 carried
"$ASSAY" top --metric IPC small
echo $?
# mistakes
printf 'a = b\nb = a\n' >loop
"$ASSAY" top --metrics loop --metric a small
printf 'a = b\na = c\n' >double
"$ASSAY" top --metrics double --metric a small
"$ASSAY" top --metrics my.metrics small
"$ASSAY" top --metrics nowhere --metric a small
"$ASSAY" top --metric 'x = min(Ir' small
"$ASSAY" top --metric 'x = $half(Ir)' small
"$ASSAY" top --at-least much small
"$ASSAY" callers --metric '$self(Ir)' main small
"$ASSAY" flame --metric 'Ir / Dr' small
echo $?
