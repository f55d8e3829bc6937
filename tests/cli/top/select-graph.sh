. "$CLI/lib.sh"
# A call graph has no call stacks: leaf costs 50 and is called by work only, so it can be hidden, and work has its 50. main calls work for 300.
small >t
"$ASSAY" top t --hide leaf --exact
"$ASSAY" top t --focus work --exact
"$ASSAY" top t --file leaf.c --exact
