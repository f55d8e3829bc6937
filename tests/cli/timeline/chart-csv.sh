# In ns, from the file: Basket->add runs three times, then count_primes; at 40 columns their calls are merged.
cp "$FIXTURES/demo.xdebug" .
"$ASSAY" timeline --csv --width 40 demo.xdebug
"$ASSAY" timeline --csv --width 40 --time 0%..20% demo.xdebug
