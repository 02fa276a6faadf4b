#!/bin/sh
# slowest.sh LOG...: which tests took longest, as their logs say.

[ $# -gt 0 ] || exit 0
export LC_ALL=C
sed -n 's/^# took \([0-9.]*\) s, \([0-9.]*\) s of processor time.*/\1 \2/p' \
	/dev/null "$@" | awk '{ taken += $1; used += $2 }
	END {
		printf "%d tests took %.0f s one by one, %.0f s of processor time\n",
			NR, taken, used
	}'
echo "The slowest, in seconds, of which the processor worked:"
for log; do
	sed -n "s|^# took \\([0-9.]*\\) s, \\([0-9.]*\\) s of .*|\\1 \\2 ${log%.log}|p" "$log"
done | sort -rn | head -n 20 | awk '{ printf "%8s %8s  %s\n", $1, $2, $3 }'
