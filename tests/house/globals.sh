#!/bin/sh
# globals.sh OBJECT-OR-ARCHIVE...: prints a line for each writable variable
# that lives as long as the program (those of a thread included), and says with
# its status whether there was none.
#
# Where a variable lives tells what it is: .data, .bss, .tdata, .tbss and
# *COM* are writable for good; .data.rel.ro, where const tables of pointers
# stand, is made read-only once the loader has filled them in. What compilers
# and sanitizers add for themselves has names that C keeps for them.

set -eu
: "${OBJDUMP:=objdump}"

# Not a pipe, so that a failing objdump is not taken for a clean object.
symbols=$("$OBJDUMP" -t -- "$@")

echo "$symbols" | awk '
	$2 == "file" && $3 == "format" {
		object = $1
		sub(/:$/, "", object)
		objects++
		next
	}
	# value, flags (which may hold spaces), section, a tab, size, maybe
	# .hidden, name
	split($0, halves, "\t") == 2 {
		section = halves[1]
		sub(/.* /, "", section)
		name = halves[2]
		sub(/.* /, "", name)
		if (section !~ /^(\.l?data|\.l?bss|\.tdata|\.tbss|\*COM\*)/)
			next
		if (section ~ /^\.data\.rel\.ro/)
			next
		if (name ~ /^(__|\.)/ || name == section)
			next
		print object ": " name " is a writable global (" section ")"
		faults++
	}
	END {
		if (!objects) {
			print "no objects"
			faults++
		}
		exit faults > 0
	}'
