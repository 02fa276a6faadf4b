#!/bin/sh
# What tests of the house's rules share: claims about checks, and a temporary
# small tree for planting faults in. To be read by such tests:
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

# What the small tree has of the tree's: enough to plant each fault in.
small_files="
include/pavane/command.h
include/pavane/core.h
include/pavane/crawl.h
include/pavane/events.h
include/pavane/fleet.h
include/pavane/look.h
include/pavane/merge.h
include/pavane/mirror.h
include/pavane/order.h
include/pavane/page.h
include/pavane/pavane.h
include/pavane/policy.h
include/pavane/progress.h
include/pavane/rows.h
include/pavane/runtime.h
include/pavane/sink.h
src/ROOMS
src/base/buf.c
src/base/pattern/pattern.c
src/base/str.c
src/base/str.h
src/cli/main.c
src/crawl/run/crawl.c
src/fetch/fetch.c
tests/base/test_str.c
"

# A small tree in $1 that keeps every rule: each room, some of its files, and
# lists of those.
make_small_tree() (
	(cd "$top_srcdir" && find src -name '.*' -prune -o -type d -print) |
		(mkdir -p "$1" && cd "$1" && xargs mkdir -p)
	for file in $small_files; do
		mkdir -p "$1/$(dirname "$file")"
		cp "$top_srcdir/$file" "$1/$file"
	done
	chmod -R u+w "$1"
	echo 'tests/base/test_str 1' >"$1/tests/claims"
	for file in $small_files; do
		[ "$file" != src/ROOMS ] || continue
		list=$(dirname "$file")/sources.am
		echo "librooms_la_SOURCES += $file" >>"$1/$list"
		grep -qx "include $list" "$1/Makefile.am" 2>/dev/null ||
			echo "include $list" >>"$1/Makefile.am"
	done
)

# Makes $copy: a small tree of such sources as stand in the tree, to plant a
# fault in.
copy_tree() {
	copy=$temporary/copy
	[ -d "$temporary/small" ] || make_small_tree "$temporary/small"
	rm -rf "$copy"
	cp -R "$temporary/small" "$copy"
}

# plant FILE LINE...: adds lines to a file of the copy, which may be new.
plant() (
	mkdir -p "$copy/$(dirname "$1")"
	cd "$copy" || exit
	file=$1
	shift
	printf '%s\n' "$@" >>"$file"
)
