#!/bin/sh
# sql.sh TREE: prints each line of TREE/src that speaks SQL outside of the rooms
# that own the tables, or that includes the frontier's engine on SQLite outside of
# the room that chooses it, and says with its status whether there was none.
#
# What a crawl knows is asked for and changed by functions of store, frontier and fleet
# alone, so that another database can take the place of this one. src/ROOMS cannot
# say this: crawl/run has no line of its own, and who names frontier there may
# include each room within it.

set -eu
cd "$1"

rooms='store frontier fleet'
engine=frontier/sqlite
chooser=crawl/run
below=fleet # its engine stands on the other one

# A database of their own, without a name, which has nothing of a crawl's state.
exceptions='src/audit/memory.c src/audit/memory.h
	src/audit/clock_memory.c src/audit/clock_memory.h
	src/merge/lines.c src/merge/lines.h'

verbs='SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|REPLACE|BEGIN|COMMIT'
verbs="$verbs|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|ATTACH|VACUUM"
calls='pv_statement(_[a-z]+)?|pv_database_(run|number)'

find src -name '*.[ch]' | sort | xargs awk -v rooms="$rooms" \
	-v engine="$engine" -v chooser="$chooser" -v below="$below" \
	-v exceptions="$exceptions" -v verbs="$verbs" -v calls="$calls" '
	BEGIN {
		for (i = split(rooms, list); i > 0; i--)
			is_owner[list[i]] = 1
		for (i = split(exceptions, list); i > 0; i--)
			is_exception[list[i]] = 1
		sql = "\"[ \t]*(" verbs ")([ \t;(]|\")"
		call = "(^|[^A-Za-z0-9_])(" calls ")([^A-Za-z0-9_]|$)"
	}
	{ split(FILENAME, parts, "/") }
	index($0, "\"" engine "/") && /^[ \t]*(#|%:)[ \t]*include/ {
		if (index(FILENAME, "src/" engine "/") != 1 &&
				index(FILENAME, "src/" below "/") != 1 &&
				index(FILENAME, "src/" chooser "/") != 1) {
			print FILENAME ":" FNR ": only " chooser \
				" may include the engine: " $0
			faults++
		}
	}
	parts[2] in is_owner || FILENAME in is_exception { next }
	# The word alone deletes nothing: it is a method of HTTP.
	{ line = $0; gsub(/"DELETE"/, "", line) }
	line ~ sql || $0 ~ call || /"store\/statement\.h"/ {
		print FILENAME ":" FNR ": speaks SQL, as only " \
			"store, frontier and fleet may: " $0
		faults++
	}
	END { exit faults > 0 }'
