"$ASSAY" help --completion zsh | sed -n 1,2p
"$ASSAY" help --completion zsh | grep -- '--sort'
"$ASSAY" help --completion fish | grep -- '-l sort'
"$ASSAY" help --completion csh; echo "$?"
if command -v zsh >/dev/null; then "$ASSAY" help --completion zsh >c.zsh && zsh -n c.zsh; fi
if command -v fish >/dev/null; then "$ASSAY" help --completion fish >c.fish && fish -n c.fish; fi
