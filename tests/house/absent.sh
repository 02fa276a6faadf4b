#!/bin/sh
# absent.sh TREE: prints a line for each name of a room that a build may leave out
# and that other rooms use although what stands in its place does not define it, and
# says with its status whether there was none. Without it such a build does not link,
# which nobody sees who has all libraries.
#
# Makefile.am tells which rooms those are:
#
#   if POSTGRESQL
#   include src/fleet/sources.am
#   else
#   librooms_la_SOURCES += src/fleet/absent.c ...
#   endif
#
# Names are those of functions and constants, as .clang-format lays them out.

set -eu
cd "$1"

# The names that files define, each on a line.
defined() {
	cat /dev/null "$@" | awk '
		/^[a-z_].*\(/ && !/^static/ &&
			match($0, /(pv|pavane)_[A-Za-z0-9_]+\(/) {
			name = substr($0, RSTART, RLENGTH - 1)
		}
		/;/ { name = "" }
		name != "" && /^[{]/ {
			print name
			name = ""
		}
		/^const / && match($0, /(pv|pavane)_[A-Za-z0-9_]+(\[[^]]*\])* *=/) {
			constant = substr($0, RSTART, RLENGTH)
			sub(/[[ =].*/, "", constant)
			print constant
		}'
}

# Prints "ROOM FILE..." for each room that may be left out: what is built instead.
rooms_left_out() {
	awk '
		/^if / { room = ""; is_else = 0 }
		/^include src\/.*\/sources.am/ {
			room = $2
			sub(/\/sources.am$/, "", room)
		}
		/^else/ && room != "" { is_else = 1; printf "%s", room }
		/^endif/ && is_else { print ""; is_else = 0 }
		is_else {
			for (i = 1; i <= NF; i++)
				if ($i ~ /^src\/.*\.c$/)
					printf " %s", $i
		}' Makefile.am
}

# All that other rooms name, but for types, and for comments that are whole lines.
named_outside() {
	find src -name '*.c' ! -path "$1/*" -exec sed -E '
		/^( \*|\/\*)/d
		s/(struct|enum|union) [A-Za-z0-9_]+//g' {} + |
		grep -Eo '\b(pv|pavane)_[A-Za-z0-9_]+' | sort -u
}

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM

status=0
rooms_left_out >"$temporary/rooms"
while read -r room instead; do
	named_outside "$room" >"$temporary/named"
	# shellcheck disable=SC2046 # Names of files, as below.
	defined $(find "$room" -name '*.c') | sort -u >"$temporary/room"
	# shellcheck disable=SC2086
	defined $instead | sort -u >"$temporary/instead"
	lacking=$(comm -12 "$temporary/named" "$temporary/room" |
		comm -23 - "$temporary/instead")
	for name in $lacking; do
		status=1
		echo "$name of $room is used elsewhere: without that room" \
			"nothing defines it"
	done
done <"$temporary/rooms"
exit $status
