#!/usr/bin/env bash
# Makes a Debian package of the files of bundle.py: make_deb.sh BUNDLE FOLDER. Prints its path. It needs no other package than glibc.
set -euo pipefail
bundle=$1 folder=$2
here=$(dirname "$0")
version=$("$bundle/bin/fathom" --version | sed -n '1s/ .*//; 1p')
architecture=$(dpkg --print-architecture)
glibc=$(PYTHONPATH=$here python3 -c 'import bundle, pathlib, sys; print("{}.{}".format(*bundle.oldest_glibc(pathlib.Path(sys.argv[1]))))' "$bundle")
# The same sources give the same package.
SOURCE_DATE_EPOCH=$(stat -c %Y "$bundle/bin/fathom")
export SOURCE_DATE_EPOCH
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
cp -a "$bundle" "$root/usr"

# Where Debian's zsh looks for completions of packages.
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
gzip --best --no-name "$root"/usr/share/man/man1/*.1
install -d "$root/DEBIAN"
cat > "$root/DEBIAN/control" << CONTROL
Package: fathom
Version: $version
Architecture: $architecture
Maintainer: The authors of Fathom
Section: science
Priority: optional
Installed-Size: $(du -ks "$root/usr" | cut -f 1)
Depends: libc6 (>= $glibc)
Suggests: ffmpeg
Description: how accurate a depth map is
 Scores depth maps against the truth or against neighbouring frames, fits
 relative maps to a LiDAR by every method from least squares to RANSAC, and
 says which has the lowest error, by how much, and with what interval.
CONTROL
mkdir -p "$folder"
package=$folder/fathom_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz -z3 --build "$root" "$package" > /dev/null
echo "$package"
