cp -r "$FIXTURES/app.m" .
for time in 6 6..5 1h..2h 13ns..14ns 50%..150% x..; do
    "$ASSAY" timeline --time "$time" app.m
    echo "exit $?"
done
