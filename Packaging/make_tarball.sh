#!/usr/bin/env bash
# Makes an archive of the files of bundle.py, to unpack anywhere: make_tarball.sh BUNDLE FOLDER. Prints its path.
set -euo pipefail
bundle=$1 folder=$2
version=$("$bundle/bin/fathom" --version | sed -n '1s/ .*//; 1p')
name=fathom-$version-linux-$(uname -m)
mkdir -p "$folder"
# The same sources give the same archive.
tar --create --directory "$bundle" --transform "s,^\.,$name," --sort name --owner 0 --group 0 --numeric-owner \
  --mtime "@$(stat -c %Y "$bundle/bin/fathom")" . | xz -3 --threads 2 > "$folder/$name.tar.xz"
echo "$folder/$name.tar.xz"
