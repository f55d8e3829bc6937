# An interrupt ends the process by its signal, leaves the old file and nothing else.
python3 "$CLI/interrupt.py" "$ASSAY"
