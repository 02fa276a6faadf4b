#!/bin/sh
# names.sh exported PATTERN OBJECT-OR-ARCHIVE...: prints a line for each name
# that those export and that does not match, and says with its status whether
# there was none.
# names.sh shared PATTERN LIBRARY: the same for a shared library.

set -eu
kind=$1
pattern=$2
shift 2
: "${NM:=nm}"

case $kind in
exported) option=-g ;;
shared) option=-D ;;
esac

# NM may hold a command with arguments. Not a pipe, so that a failing nm is
# not taken for a clean object.
# shellcheck disable=SC2086
symbols=$($NM $option -P --defined-only "$@")

# Names that begin with two underscores are the compilers' and sanitizers'.
echo "$symbols" | awk -v pattern="$pattern" '
	NF < 2 { next }
	{ names++ }
	$1 !~ /^__/ && $1 !~ pattern {
		print $1 " is exported, and does not match " pattern
		faults++
	}
	END {
		if (!names) {
			print "no names"
			faults++
		}
		exit faults > 0
	}'
