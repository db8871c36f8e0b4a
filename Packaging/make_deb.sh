#!/usr/bin/env bash
# Makes a Debian package: make_deb.sh FATHOM GENERATE_MANUAL LICENCES FOLDER. LICENCES is a folder of the sources that the command
# holds, each with its licence. Prints the path of the package. The libraries that it depends on are those of this Debian or Ubuntu.
set -euo pipefail
fathom=$1 generate_manual=$2 licences=$3 folder=$4
here=$(dirname "$0")
version=$("$fathom" --version | head -n 1)
architecture=$(dpkg --print-architecture)
root=$folder/root
rm -rf "$folder"
"$here/install.sh" "$fathom" "$generate_manual" "$root/usr"

# Where Debian's zsh looks for completions of packages.
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
gzip --best --no-name "$root"/usr/share/man/man1/*.1
documents=$root/usr/share/doc/fathom
install -d "$documents"
{
  cat "$here/../LICENSE"
  for licence in "$licences"/*/LICENSE*; do
    printf '\n\n%s, which the command holds:\n\n' "$(basename "$(dirname "$licence")")"
    cat "$licence"
  done
} > "$documents/copyright"

# dpkg-shlibdeps names the packages of the libraries, and the oldest versions that will do.
install -d "$folder/debian" "$root/DEBIAN"
printf 'Source: fathom\n\nPackage: fathom\nArchitecture: any\n' > "$folder/debian/control"
libraries=$(cd "$folder" && dpkg-shlibdeps -O root/usr/bin/fathom | sed 's/^shlibs:Depends=//')

cat > "$root/DEBIAN/control" << CONTROL
Package: fathom
Version: $version
Architecture: $architecture
Maintainer: The authors of Fathom
Section: science
Priority: optional
Installed-Size: $(du -ks "$root/usr" | cut -f 1)
Depends: $libraries, fonts-dejavu-core
Description: how accurate a depth map is
 Scores depth maps against the truth or against neighbouring frames, fits
 relative maps to a LiDAR by every method from least squares to RANSAC, and
 says which errs least, by how much, and with what interval.
CONTROL
package=$folder/fathom_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
echo "$package"
