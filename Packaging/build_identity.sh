#!/bin/sh
# Writes the Swift file that names the commit of a build: build_identity.sh ROOT FILE. The file is left alone where it says so already, so that
# nothing is compiled or linked again. "modified": a source is changed, removed or new since the commit.
root=$1 file=$2
build=unknown
# Not of a repository around an unpacked archive.
if [ -e "$root/.git" ] && commit=$(git -C "$root" rev-parse HEAD 2> /dev/null); then
  build=$commit
  [ -z "$(GIT_OPTIONAL_LOCKS=0 git -C "$root" status --porcelain -- Package.swift Sources 2>&1)" ] || build="$commit, modified"
fi
text='@_cdecl("fathom_build_name")
public func fathomBuildName() -> UnsafePointer<CChar> {
  let text: StaticString = "'$build'"
  return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}'
mkdir -p "$(dirname "$file")"
[ "$(cat "$file" 2> /dev/null)" = "$text" ] || printf '%s\n' "$text" > "$file"
