# The last column is cut in its middle to fit a terminal, and never in a file.
printf '# callgrind format\nevents: Ir\nfl=/a/very/long/path/that/does/not/fit/into/sixty/columns/of/a/terminal.c\nfn=f\n1 1\n' >f
python3 "$CLI/on_terminal.py" --columns 60 "$ASSAY" top f
"$ASSAY" top f
