. "$CLI/lib.sh"
# At 60 columns long names are cut in the middle and a branch takes two columns; at 200 there is room.
printf '%s 7\n' 'a_function_with_a_very_long_name_that_nobody_can_remember;another_one_of_that_kind_which_goes_on_and_on_and_on' >s.folded
printf '%s 2\n' 'a_function_with_a_very_long_name_that_nobody_can_remember;short' >>s.folded
python3 "$CLI/on_terminal.py" --columns 60 "$ASSAY" tree --color never s.folded
python3 "$CLI/on_terminal.py" --columns 200 "$ASSAY" tree --color never s.folded
