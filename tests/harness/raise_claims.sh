#!/bin/sh
# raise_claims.sh TABLE LOG...: raises the claims of each test in TABLE to what
# the test made when its log was written, and adds rows for tests without one. A
# row with a comment is left as it is.

set -eu
export LC_ALL=C
table=$1
shift

{
	cat "$table"
	for log; do
		sed -n "s|^# took .* for \\([0-9]*\\) claims\$|made ${log%.log} \\1|p" \
			"$log"
	done
} | awk '
	/^#/ { print "0 " $0; next }
	$1 != "made" {
		row[$1] = $0
		claims[$1] = $2
		next
	}
	{
		test = $2
		sub(/^(.*\/)?tests\//, "tests/", test)
		if (row[test] !~ /#/ && $3 > claims[test] + 0)
			claims[test] = $3
	}
	END {
		for (test in claims) {
			if (row[test] == "")
				row[test] = test " " claims[test]
			else if (row[test] !~ /#/)
				sub(/ [0-9]+/, " " claims[test], row[test])
			print "1 " row[test]
		}
	}' | sort -s -k 1,2 | sed 's/^[01] //' >"$table.new"
mv "$table.new" "$table"
