#!/usr/bin/env bash
# Puts the command, its manual pages and its completions into a folder: install.sh FATHOM GENERATE_MANUAL PREFIX.
# GENERATE_MANUAL is the program of swift-argument-parser that writes manual pages.
set -euo pipefail
fathom=$1 generate_manual=$2 prefix=$3

install -D -s -m 755 "$fathom" "$prefix/bin/fathom"

completion() { # shell, file
  install -d "$(dirname "$prefix/share/$2")"
  "$fathom" --generate-completion-script "$1" > "$prefix/share/$2"
}
completion bash bash-completion/completions/fathom
completion zsh zsh/site-functions/_fathom
completion fish fish/vendor_completions.d/fathom.fish

# The pages of an older version may have other names.
install -d "$prefix/share/man/man1"
rm -f "$prefix"/share/man/man1/fathom.1 "$prefix"/share/man/man1/fathom.*.1
# The day of the last change, so that the same sources give the same pages.
day=$(git log -1 --format=%cs 2> /dev/null || date +%F)
"$generate_manual" "$fathom" --multi-page --date "$day" --output-directory "$prefix/share/man/man1" > /dev/null
