#!/bin/sh
# What tests of the house's rules share: claims about checks, and a temporary
# copy of the tree for planting faults in. To be read by such tests:
#
#   . "${top_srcdir:=.}/tests/house/planting.sh"
#   finds_none "includes obey ROOMS" "$house/rooms.sh" "$top_srcdir"
#   tap_done
#
# top_srcdir and top_builddir are the tree's directories, as make says.

set -u
top_srcdir=$(cd "${top_srcdir:-.}" && pwd)
top_builddir=$(cd "${top_builddir:-.}" && pwd)
house=$top_srcdir/tests/house
. "$top_srcdir/tests/tap.sh"

# In the build directory, since not every /tmp lets programs run.
temporary=$(mktemp -d "$top_builddir/house.XXXXXX") || exit 1
[ -d "$temporary" ] || exit 1
trap 'chmod -R u+w "$temporary"; rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM

# finds_none CLAIM CHECK ARGUMENT...: the check prints no fault and says so
# with its status.
finds_none() {
	claim=$1
	shift
	found=$(sh "$@" 2>&1)
	status=$?
	[ $status -ne 0 ] || [ -z "$found" ] || status=1
	ok $status "$claim"
	remark "$found"
}

# finds PATTERN CLAIM CHECK ARGUMENT...: the check prints a fault that matches
# and says so with its status.
finds() {
	pattern=$1
	claim=$2
	shift 2
	if found=$(sh "$@" 2>&1); then
		status=1
	else
		echo "$found" | grep -Eq -e "$pattern"
		status=$?
	fi
	ok $status "$claim"
	if [ $status -ne 0 ]; then
		remark "wanted: $pattern"
		remark "${found:-found nothing}"
	fi
}

# Makes $copy: the tree's sources as they stand, to plant a fault in. What a
# build in the tree left there is no part of it.
copy_tree() {
	sources=$temporary/sources
	copy=$temporary/copy
	if ! [ -d "$sources" ]; then
		mkdir "$sources"
		for part in Makefile.am src include tests; do
			cp -R "$top_srcdir/$part" "$sources"
		done
		chmod -R u+w "$sources"
		find "$sources" -type f ! -name '*.[ch]' ! -name '*.sh' \
			! -name ROOMS ! -name Makefile.am -exec rm -f {} +
	fi
	rm -rf "$copy"
	cp -R "$sources" "$copy"
}

# plant FILE LINE...: adds lines to a file of the copy, which may be new.
plant() (
	mkdir -p "$copy/$(dirname "$1")"
	cd "$copy" || exit
	file=$1
	shift
	printf '%s\n' "$@" >>"$file"
)
