#!/bin/sh
# The first fleet of doc/fleet.md, typed as it stands there, with the demo's site in
# the place of the seeds.

. "${top_srcdir:-.}/tests/cli/program.sh"
. "$top_srcdir/tests/cli/fleet.sh"

export PGHOST="$work/data" PGUSER=pavane
PATH=$(dirname "$pavane"):$bin:$PATH

awk '/^    / { print substr($0, 5); seen = 1; next } seen { exit }' \
	"$top_srcdir/doc/fleet.md" >typed
[ "$(wc -l <typed)" -le 10 ] && grep -q createdb typed
claim $? "a first fleet takes ten lines"
sed "s|^seeds: .*|seeds: [\"$address\"]\npoliteness: {delay: 20ms, backoff: {overload: 1s}}|" typed >first.sh
status=0
sh -e first.sh >out 2>err </dev/null || status=$?
exits 0 "all of them do their work"
says out "^Every promise was kept\.$" "up to the audit"
run status --fleet postgresql:///crawls shared
exits 0 "the line below them does its own"
says out '^shared: finished' "and says that the crawl is finished"

tap_done
