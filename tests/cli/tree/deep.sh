# A stack 12000 deep needs no width, and no stack.
python3 -c 'print(";".join(f"f{i}" for i in range(12000)), 5)' >s.folded
"$ASSAY" tree --from folded --hot-path --limit 6 s.folded
"$ASSAY" tree --from folded --limit 3 s.folded
"$ASSAY" tree --from folded --json s.folded | grep -c '"depth"'
