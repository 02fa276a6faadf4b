#!/bin/sh
# What distributions package agrees with the tree: versions, what building
# needs, what a release consists of; and `make release` refuses what is none.

. "${top_srcdir:=.}/tests/house/planting.sh"

packaging=$top_srcdir/packaging
spec=$packaging/pavane.spec
control=$top_srcdir/debian/control

[ -d "$top_srcdir/debian" ] || skip_all "this is a release"

# needed KIND COLUMN: the packages of bootstrap's table, a line each.
needed() {
	sh "$top_srcdir/bootstrap" --table | awk -v kind="$1" -v wanted="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == wanted) column = i }
		NR > 1 && $1 ~ kind { print $column }' | tr , '\n' | sort
}

### What building needs

# debhelper brings compiler, make and autotools along.
sed -n '/^Build-Depends:/,/^[A-Z].*:/{/^ \|^Build/p;}' "$control" |
	sed 's/^Build-Depends://; s/^ *//; s/ (.*//; s/,$//' |
	grep -v '^debhelper-compat\|^pkg-config$' | sort >"$temporary/wanted"
[ -s "$temporary/wanted" ] &&
	[ "$(cat "$temporary/wanted")" = "$(needed module apt-get)" ]
ok $? "Debian's package needs the libraries of bootstrap's table"
sed -n 's/^BuildRequires: *//p' "$spec" | grep -v '^systemd-rpm-macros$' |
	sort >"$temporary/wanted"
[ "$(cat "$temporary/wanted")" = "$(needed . dnf)" ]
ok $? "Fedora's needs all of it"

if command -v rpmspec >/dev/null; then
	rpmspec -P "$spec" >"$temporary/said" 2>&1
	ok $? "rpmspec reads Fedora's"
else
	skip "rpmspec reads Fedora's" "no rpmspec"
fi
if command -v rpmlint >/dev/null; then
	! rpmlint "$spec" 2>&1 | grep ': E: ' >"$temporary/said"
	ok $? "and rpmlint finds no error"
	remark "$(cat "$temporary/said")"
else
	skip "and rpmlint finds no error" "no rpmlint"
fi

### What a release consists of

sh "$packaging/sbom" "$top_srcdir" 0.1.0 0123abcd 1700000000 \
	>"$temporary/sbom.json"
if command -v python3 >/dev/null; then
	python3 - "$temporary/sbom.json" <<-'END'
		import json, sys
		bill = json.load(open(sys.argv[1]))
		ids = {package["SPDXID"] for package in bill["packages"]}
		ends = {end for relation in bill["relationships"] for end in
		    (relation["spdxElementId"], relation["relatedSpdxElement"])}
		sys.exit(bill["spdxVersion"] != "SPDX-2.3" or
		    len(ids) != len(bill["packages"]) or
		    ends != ids | {"SPDXRef-DOCUMENT"})
	END
	ok $? "the bill of materials is JSON, and relates each package once"
else
	skip "the bill of materials is JSON, and relates each package once" \
		"no python3"
fi
[ "$(grep -c '"DEPENDS_ON"' "$temporary/sbom.json")" -eq \
	"$(needed module name | wc -l)" ]
ok $? "it has each library that configure looks for"
grep -q '"checksumValue": "0123abcd"' "$temporary/sbom.json" &&
	grep -q '"created": "2023-11-14T22:13:20Z"' "$temporary/sbom.json"
ok $? "and the digest and time that it was given"

### Versions

finds_none "all files have the version of configure.ac" \
	"$packaging/versions" "$top_srcdir"

# A small tree with a date of release, in $copy.
begin() {
	copy=$temporary/copy
	rm -rf "$copy"
	mkdir -p "$copy/debian" "$copy/doc" "$copy/packaging"
	echo 'AC_INIT([pavane], [7.1.0])' >"$copy/configure.ac"
	printf '%s\n' '# Changes' '' '## [7.1.0] - 2026-11-28' \
		'## [7.0.0] - 2026-10-28' >"$copy/CHANGELOG.md"
	echo 'pavane (7.1.0-0pavane1) unstable; urgency=medium' \
		>"$copy/debian/changelog"
	echo 'Version:        7.1.0' >"$copy/packaging/pavane.spec"
	echo 'tar -xf pavane-7.1.0.tar.xz' >"$copy/doc/install-here.md"
}

begin
finds_none "and so have those of a small tree" "$packaging/versions" "$copy"
while read -r file; do
	begin
	sed -i 's/7\.1\.0/7.1.1/' "$copy/$file"
	finds "^$file has version 7.1.1, configure.ac 7.1.0" \
		"finds another version in $file" "$packaging/versions" "$copy"
done <<'END'
CHANGELOG.md
debian/changelog
doc/install-here.md
packaging/pavane.spec
END

### What a stranger sees first

top='.ci .clang-format .editorconfig .gitignore CHANGELOG.md Containerfile LICENSE
Makefile.am README.md SECURITY.md bootstrap configure.ac debian doc include
libpavane.map libpavane.pc.in m4 packaging policies src tests'
if [ -e "$top_srcdir/.git" ] && command -v git >/dev/null; then
	# The names are words.
	# shellcheck disable=SC2086
	found=$(git -C "$top_srcdir" -c safe.directory='*' ls-files |
		sed 's#/.*##' | LC_ALL=C sort -u)
	[ "$found" = "$(printf '%s\n' $top | LC_ALL=C sort)" ]
	ok $? "the top of the tree has what it should, and nothing else"
else
	skip "the top of the tree has what it should" "no checkout"
fi

### What is no release

commit() (
	cd "$copy" || exit
	git init -q && git add -A &&
		git -c user.name=a -c user.email=a@b.example commit -qm a &&
		git tag "$1"
) >/dev/null 2>&1

refuses() {
	finds "$1" "refuses $2" "$packaging/versions" --release "$copy"
}

if command -v git >/dev/null; then
	begin
	commit v7.1.0
	finds_none "a commit with its tag is a release" \
		"$packaging/versions" --release "$copy"
	echo more >>"$copy/configure.ac"
	refuses 'changes that are not committed' "a tree with changes"
	begin
	commit v7.1.0
	echo more >"$copy/new.c"
	refuses 'new\.c' "a file that git does not know"
	begin
	commit v7.1.1
	refuses 'no tag v7.1.0' "another tag"
	begin
	sed -i 's/ - 2026-11-28/ - Unreleased/' "$copy/CHANGELOG.md"
	commit v7.1.0
	refuses 'no date of release' "changes without a date"
else
	skip "refuses what is no release" "no git"
fi
tap_done
