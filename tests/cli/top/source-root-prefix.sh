# What two containers call the root is inferred from the files that were found: also for those that are right in it, and for those that are not here.
mkdir -p here/src && touch here/src/a.c here/src/b.c here/main.c
report() { for file in src/a.c src/b.c main.c gen.c; do printf '%s\n' "SF:$1/$file" DA:1,1 end_of_record; done; }
report /ci/one/app >one.info
report /home/two >two.info
for file in one.info two.info; do "$ASSAY" top --csv --source-root here $file | cut -d, -f1; done
"$ASSAY" merge one.info two.info -o both.info --source-root here 2>/dev/null; "$ASSAY" top --csv both.info | cut -d, -f1
"$ASSAY" info --source-root here/src one.info | grep P-1
