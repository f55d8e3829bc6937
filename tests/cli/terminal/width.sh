# The last column is cut to fit a terminal, the place before the name, and never in a file.
printf '# callgrind format\nevents: Ir\nfl=/a/very/long/path/that/does/not/fit/into/sixty/columns/of/a/terminal.c\nfn=a_function_with_a_name\n1 1\n' >f
python3 "$CLI/on_terminal.py" --columns 60 "$ASSAY" top f
python3 "$CLI/on_terminal.py" --columns 80 "$ASSAY" top --full-names f
python3 "$CLI/on_terminal.py" --columns 60 "$ASSAY" top --full-names f
"$ASSAY" top --full-names f
