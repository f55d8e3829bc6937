# Files that cannot be read, words that are neither a command nor a file
echo nothing >notes.txt
: >empty
"$ASSAY" ./nosuch; echo $?
"$ASSAY" notes.txt empty; echo $?
"$ASSAY" nosuch; echo $?
"$ASSAY" tpo; echo $?
