#!/bin/bash
# tests/tree/check_release.sh ROOT: tools/make_release makes the tag and the tarball of a tree in which
# all agrees, and refuses, without a trace, each that does not.
set -euo pipefail
root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
mkdir tree && cd tree
mkdir -p tools packaging/debian include/perp
cp "$root"/tools/make_release "$root"/tools/make_tarball "$root"/tools/version tools
cp "$root"/meson.build "$root"/CHANGELOG.md "$root"/CITATION.cff "$root"/.gitignore .
cp "$root"/packaging/debian/changelog packaging/debian
cp "$root"/include/perp/core.h include/perp
version=$(tools/version)
sed -i "0,/^## .*/s//## $version, 2001-02-03/" CHANGELOG.md
sed -i '0,/^ -- .*/s// -- A <a@b>  Sat, 03 Feb 2001 00:00:00 +0000/' packaging/debian/changelog
git init -q && git add -A && git commit -q -m tree

refused() { # refused WORDS: the release says so, and leaves neither tag nor tarball
    if tools/make_release ../out >../said 2>&1; then echo "released, expected: $1"; exit 1; fi
    grep -q -- "$1" ../said || { echo "expected: $1; said:"; cat ../said; exit 1; }
    if [ -n "$(git tag)" ] || ls ../out/*.gz 2>/dev/null; then echo "$1: something was made"; exit 1; fi
    git reset -q --hard first
}
git branch first

# The tarball lies in the tree unless another place is asked for, and the next one can be made.
tools/make_tarball . >../first && tools/make_tarball . | cmp ../first -
rm perp-*.tar.gz

echo more >>CITATION.cff
refused "changes that are not committed"
for edit in "s/^version:.*/version:~9.9.9/ CITATION.cff another.version" \
    "s/PERP_VERSION~\"/PERP_VERSION~\"9/ include/perp/core.h another.version" \
    "0,/^##.*/s//##~$version,~not~released~yet/ CHANGELOG.md expected" \
    "s/2001/2002/ packaging/debian/changelog day" \
    "/^##~/,/^###/{/^[^#]/d} CHANGELOG.md no.words"; do
    read -r change file words <<<"$edit"
    sed -i "${change//\~/ }" "$file"
    git commit -q -a -m edit
    refused "$words"
done

tools/make_release ../out >/dev/null
[ "$(git cat-file -t "v$version")" = tag ]
git tag -n1 -l "v$version" | grep "perp $version" >/dev/null
[ "$(git rev-list -n 1 "v$version")" = "$(git rev-parse HEAD)" ]
tar -tzf "../out/perp-$version.tar.gz" | grep "^perp-$version/meson.build$" >/dev/null
if tools/make_release ../out 2>../said; then echo "released twice"; exit 1; fi
grep -q "is there already" ../said
