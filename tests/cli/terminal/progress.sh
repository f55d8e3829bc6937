# A bar for work over a second, erased at the end.
export TERM=xterm
python3 "$CLI/progress.py"
