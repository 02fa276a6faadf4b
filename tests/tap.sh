#!/bin/sh
# Claims, told in the Test Anything Protocol, for tests in shell. To be read by
# such tests, which end with tap_done.

claims=0
failures=0

# Shows text as a remark about the claim above it.
remark() {
	if [ -n "$1" ]; then
		printf '%s\n' "$1" | awk '{ print "# " $0 }'
	fi
}

# ok STATUS CLAIM: it held if the status is 0.
ok() {
	claims=$((claims + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $claims - $2"
	else
		failures=$((failures + 1))
		echo "not ok $claims - $2"
	fi
}

# A claim that cannot be tried here, and why.
skip() {
	claims=$((claims + 1))
	echo "ok $claims - $1 # SKIP $2"
}

# skip_all WHY: in the place of all claims.
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

tap_done() {
	echo "1..$claims"
	[ "$failures" -eq 0 ]
	exit
}
