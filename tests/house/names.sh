#!/bin/sh
# names.sh exported PATTERN OBJECT-OR-ARCHIVE...: prints a line for each name
# that those export and that does not match, and says with its status whether
# there was none.
# names.sh shared PATTERN LIBRARY: the same for a shared library.
# names.sh twice ARCHIVE OBJECT...: prints a line for each name that the archive
# exports and the objects as well: linked together, one silently wins.

set -eu
kind=$1
pattern=$2
shift 2
: "${NM:=nm}"

# NM may hold a command with arguments.
# shellcheck disable=SC2086
if [ "$kind" = twice ]; then
	archive=$($NM -g -P --defined-only "$pattern")
	objects=$($NM -g -P --defined-only "$@")
	{
		echo "$archive" | sed 's/^/1 /'
		echo "$objects" | sed 's/^/2 /'
	} | awk '
		NF < 3 { next }
		$1 == 1 { is_taken[$2] = 1 }
		$1 == 2 && $2 in is_taken && $2 !~ /^__/ {
			print $2 " is exported twice"
			faults++
		}
		END { exit faults > 0 }'
	exit
fi

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
